package org.verbena.rdma.shell.karaf;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.command.Devices;

/** {@code rdma:devices}. */
@Service
@Command(
        scope = "rdma",
        name = "devices",
        description = "Lists the devices, and says who holds up a removal; with a name, all of one.")
public final class DevicesAction extends MonitorAction {
    @Argument(name = "name", description = "The name of a device.")
    @Completion(DeviceNames.class)
    private String name;

    @Option(name = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    Callable<Integer> command(Monitor all, PrintStream out) {
        return new Devices(all, out);
    }

    @Override
    void say() {
        argument(name);
        flag("--json", json);
    }
}
