package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.Snapshot;
import org.verbena.rdma.shell.json.Json;
import org.verbena.rdma.shell.table.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rdma:stats}. */
@Command(
        name = "stats",
        description = {
            "Shows what the providers have counted, by device, or by connection with -c.",
            "messages.OPERATION.out were begun by this side, .in by the peer. What is zero is left out."
        })
public final class Stats extends Listing {
    @Parameters(
            paramLabel = "NAME",
            arity = "0..1",
            description = "The name of a device, or with -c the number of an id.")
    private String name;

    @Option(
            names = {"-c", "--connections"},
            description = "By connection.")
    private boolean byConnection;

    @Option(names = "--all", description = "Also what is zero.")
    private boolean all;

    @Option(
            names = {"-e", "--every"},
            paramLabel = "SECONDS",
            description = "Again and again, with what was counted per second, until interrupted.")
    private int every;

    /**
     * Makes one use of the command.
     *
     * @param monitor what it works on
     * @param out where it prints to
     */
    public Stats(Monitor monitor, PrintStream out) {
        super(monitor, out);
    }

    @Override
    public Integer call() throws Exception {
        Map<String, Map<String, Long>> first = counters();
        if (every <= 0) {
            show(first, Map.of(), 0);
            return 0;
        }
        Foreground.run("rdma:stats", stop -> repeat(first, stop));
        return 0;
    }

    private void repeat(Map<String, Map<String, Long>> first, Foreground stop) throws Exception {
        Map<String, Map<String, Long>> before = first;
        long since = System.nanoTime();
        while (!stop.within(Duration.ofSeconds(every))) {
            Map<String, Map<String, Long>> now = counters();
            long time = System.nanoTime();
            show(now, before, (time - since) / 1e9);
            before = now;
            since = time;
        }
    }

    private Map<String, Map<String, Long>> counters() throws RdmaException {
        Snapshot snapshot = snapshot();
        Map<String, Map<String, Long>> counters = new LinkedHashMap<>();
        if (byConnection) {
            for (ConnectionSnapshot connection : snapshot.connections()) {
                counters.put(String.valueOf(connection.id().number()), connection.counters());
            }
        } else {
            for (DeviceSnapshot device : snapshot.devices()) {
                // Of several with one name that which serves, which comes first.
                counters.putIfAbsent(device.name(), device.counters());
            }
        }
        if (name != null && !counters.containsKey(name)) {
            throw new RdmaException(
                    RdmaError.NOT_FOUND, "there is no " + (byConnection ? "connection " : "device ") + name);
        }
        counters.keySet().removeIf(key -> name != null && !key.equals(name));
        return counters;
    }

    private void show(Map<String, Map<String, Long>> now, Map<String, Map<String, Long>> before, double seconds) {
        if (isJson()) {
            (seconds > 0 ? Json.oneLine() : Json.pretty()).print(out(), now);
            return;
        }
        Table table = new Table(byConnection ? "ID" : "DEVICE", "COUNTER", "VALUE", "PER SECOND");
        now.forEach((key, counters) -> counters.forEach((counter, value) -> {
            if (all || value != 0) {
                long last = before.getOrDefault(key, Map.of()).getOrDefault(counter, 0L);
                // A device that was away counts from nothing again.
                long growth = value < last ? value : value - last;
                table.row(key, counter, value, seconds > 0 ? Math.round(growth / seconds) : "");
            }
        }));
        table.print(out(), "nothing is counted");
        if (seconds > 0) {
            out().println();
        }
        out().flush();
    }
}
