package org.verbena.rdma.shell.karaf;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.command.Trace;

/** {@code rdma:trace}. */
@Service
@Command(scope = "rdma", name = "trace", description = "Shows what happens, as it happens, until interrupted.")
public final class TraceAction extends MonitorAction {
    @Argument(name = "name", description = "Only what happens on this device.")
    @Completion(DeviceNames.class)
    private String name;

    @Option(name = "-i", aliases = "--id", description = "Only the events of the id with this number.")
    @Completion(IdNumbers.class)
    private Long id;

    @Option(name = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    Callable<Integer> command(Monitor all, PrintStream out) {
        return new Trace(all, out);
    }

    @Override
    void say() {
        argument(name);
        option("--id", id);
        flag("--json", json);
    }
}
