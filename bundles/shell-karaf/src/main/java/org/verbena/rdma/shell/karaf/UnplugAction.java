package org.verbena.rdma.shell.karaf;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.command.Unplug;

/** {@code rdma:unplug}. */
@Service
@Command(
        scope = "rdma",
        name = "unplug",
        description = "Takes a device out, as if it was pulled, and waits for the end of the removal.")
public final class UnplugAction extends MonitorAction {
    @Argument(name = "name", description = "The name of the device.", required = true)
    @Completion(PresentDeviceNames.class)
    private String name;

    @Override
    Callable<Integer> command(Monitor all, PrintStream out) {
        return new Unplug(all, out);
    }

    @Override
    void say() {
        argument(name);
    }
}
