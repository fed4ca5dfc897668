package org.verbena.rdma.shell.karaf;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.command.Stats;

/** {@code rdma:stats}. */
@Service
@Command(
        scope = "rdma",
        name = "stats",
        description = "Shows what the providers have counted, by device or by connection.")
public final class StatsAction extends MonitorAction {
    @Argument(name = "name", description = "The name of a device, or with -c the number of an id.")
    @Completion(DeviceNames.class)
    private String name;

    @Option(name = "-c", aliases = "--connections", description = "By connection.")
    private boolean byConnection;

    @Option(name = "--all", description = "Also what is zero.")
    private boolean all;

    @Option(
            name = "-e",
            aliases = "--every",
            description = "Again after so many seconds, with what was counted per second, until interrupted.")
    private Integer every;

    @Option(name = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    Callable<Integer> command(Monitor monitor, PrintStream out) {
        return new Stats(monitor, out);
    }

    @Override
    void say() {
        argument(name);
        flag("--connections", byConnection);
        flag("--all", all);
        option("--every", every);
        flag("--json", json);
    }
}
