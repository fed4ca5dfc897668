package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.util.List;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.table.Table;
import picocli.CommandLine.Command;

/** {@code rdma:connections}. */
@Command(
        name = "connections",
        description = {
            "Lists the ids that are connected or were.",
            "OUT and IN are the bytes of operations begun by this side and by the peer, where the provider counts them."
        })
public final class Connections extends Listing {
    /**
     * Makes one use of the command.
     *
     * @param monitor what it works on
     * @param out where it prints to
     */
    public Connections(Monitor monitor, PrintStream out) {
        super(monitor, out);
    }

    @Override
    public Integer call() {
        List<ConnectionSnapshot> connections = snapshot().connections();
        Table table = new Table(
                "ID", "STATE", "ROLE", "DEVICE", "LOCAL", "PEER", "QUEUE PAIR", "FOR", "OUT", "IN", "CONSUMER");
        for (ConnectionSnapshot connection : connections) {
            table.row(
                    connection.id().number(),
                    Words.state(connection.id()),
                    connection.active() ? "active" : "passive of " + connection.listener(),
                    connection.id().device(),
                    connection.id().local(),
                    connection.id().peer(),
                    connection.queuePair() < 0 ? "" : connection.queuePair() + " " + connection.queuePairState(),
                    connection.establishedMillis() < 0 ? "" : Words.seconds(connection.establishedMillis()),
                    bytes(connection, ".out"),
                    bytes(connection, ".in"),
                    connection.id().consumer());
        }
        print(connections, table, "no connections");
        return 0;
    }

    private static String bytes(ConnectionSnapshot connection, String direction) {
        if (connection.counters().isEmpty()) {
            return "";
        }
        return String.valueOf(connection.counters().entrySet().stream()
                .filter(counter -> counter.getKey().startsWith("bytes.")
                        && counter.getKey().endsWith(direction))
                .mapToLong(counter -> counter.getValue())
                .sum());
    }
}
