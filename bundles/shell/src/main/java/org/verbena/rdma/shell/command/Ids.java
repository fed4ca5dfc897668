package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.Snapshot;
import org.verbena.rdma.shell.table.Table;
import picocli.CommandLine.Command;

/** {@code rdma:ids}. */
@Command(
        name = "ids",
        description = {
            "Lists the connection ids of all consumers.",
            "EVENTS wait for their callback; CALLBACK is the thread that runs one now."
        })
public final class Ids extends Listing {
    /** An id and what it is. */
    record Row(IdSnapshot id, String role, String queuePair) {}

    /**
     * Makes one use of the command.
     *
     * @param monitor what it works on
     * @param out where it prints to
     */
    public Ids(Monitor monitor, PrintStream out) {
        super(monitor, out);
    }

    @Override
    public Integer call() {
        List<Row> rows = rows(snapshot())
                .sorted(Comparator.comparingLong(row -> row.id().number()))
                .toList();
        Table table = new Table(
                "ID", "STATE", "ROLE", "DEVICE", "LOCAL", "PEER", "QUEUE PAIR", "EVENTS", "CALLBACK", "CONSUMER");
        for (Row row : rows) {
            table.row(
                    row.id().number(),
                    Words.state(row.id()),
                    row.role(),
                    row.id().device(),
                    row.id().local(),
                    row.id().peer(),
                    row.queuePair(),
                    row.id().pendingEvents(),
                    row.id().callbackThread(),
                    row.id().consumer());
        }
        print(rows.stream().map(Row::id).toList(), table, "no ids");
        return 0;
    }

    /** All ids, whatever they are. */
    static Stream<Row> rows(Snapshot snapshot) {
        return Stream.of(
                        snapshot.ids().stream().map(id -> new Row(id, "", "")),
                        snapshot.listeners().stream().map(ListenerSnapshot::id).map(id -> new Row(id, "listener", "")),
                        snapshot.connections().stream().map(Ids::connection))
                .flatMap(rows -> rows);
    }

    private static Row connection(ConnectionSnapshot connection) {
        String queuePair = connection.queuePair() < 0 ? "" : connection.queuePair() + " " + connection.queuePairState();
        return new Row(connection.id(), connection.active() ? "active" : "passive", queuePair);
    }
}
