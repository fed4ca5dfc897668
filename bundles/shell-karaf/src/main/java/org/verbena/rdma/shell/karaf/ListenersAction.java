package org.verbena.rdma.shell.karaf;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.command.Listeners;

/** {@code rdma:listeners}. */
@Service
@Command(scope = "rdma", name = "listeners", description = "Lists the ids that listen, and on which devices.")
public final class ListenersAction extends MonitorAction {
    @Option(name = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    Callable<Integer> command(Monitor all, PrintStream out) {
        return new Listeners(all, out);
    }

    @Override
    void say() {
        flag("--json", json);
    }
}
