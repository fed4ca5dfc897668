package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.util.List;
import java.util.function.ToLongFunction;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.Traffic;
import org.verbena.rdma.shell.table.Table;
import picocli.CommandLine.Command;

/** {@code rdma:connections}. */
@Command(
        name = "connections",
        description = {
            "Lists the ids that are connected or were.",
            "SENT and RECEIVED are the bytes that have gone to the peer and come from it, where the provider counts them."
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
                "ID", "STATE", "ROLE", "DEVICE", "LOCAL", "PEER", "QUEUE PAIR", "FOR", "SENT", "RECEIVED", "CONSUMER");
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
                    bytes(connection, Traffic::bytesSent),
                    bytes(connection, Traffic::bytesReceived),
                    connection.id().consumer());
        }
        print(connections, table, "no connections");
        return 0;
    }

    private static String bytes(ConnectionSnapshot connection, ToLongFunction<Traffic> direction) {
        return Traffic.of(connection.counters())
                .map(traffic -> String.valueOf(direction.applyAsLong(traffic)))
                .orElse("");
    }
}
