package org.verbena.rdma.shell.karaf;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.command.Ids;

/** {@code rdma:ids}. */
@Service
@Command(scope = "rdma", name = "ids", description = "Lists the connection ids of all consumers.")
public final class IdsAction extends MonitorAction {
    @Option(name = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    Callable<Integer> command(Monitor all, PrintStream out) {
        return new Ids(all, out);
    }

    @Override
    void say() {
        flag("--json", json);
    }
}
