package org.verbena.rdma.shell.karaf;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.command.Connections;

/** {@code rdma:connections}. */
@Service
@Command(scope = "rdma", name = "connections", description = "Lists the ids that are connected or were.")
public final class ConnectionsAction extends MonitorAction {
    @Option(name = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    Callable<Integer> command(Monitor all, PrintStream out) {
        return new Connections(all, out);
    }

    @Override
    void say() {
        flag("--json", json);
    }
}
