package org.verbena.rdma.shell.karaf;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.command.Plug;

/** {@code rdma:plug}. */
@Service
@Command(scope = "rdma", name = "plug", description = "Puts a device back that was taken out.")
public final class PlugAction extends MonitorAction {
    @Argument(name = "name", description = "The name of the device.", required = true)
    @Completion(AbsentDeviceNames.class)
    private String name;

    @Override
    Callable<Integer> command(Monitor all, PrintStream out) {
        return new Plug(all, out);
    }

    @Override
    void say() {
        argument(name);
    }
}
