package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.Snapshot;
import org.verbena.rdma.shell.table.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rdma:ids}. */
@Component(
        service = IdsCommand.class,
        property = {"osgi.command.scope=rdma", "osgi.command.function=ids"})
public final class IdsCommand {
    private final Monitor monitor;

    @Activate
    public IdsCommand(@Reference Monitor monitor) {
        this.monitor = monitor;
    }

    /** The Gogo command. */
    @Descriptor("lists the connection ids")
    public void ids(String[] arguments) {
        Invocation.inGogo(invocation -> new Ids(monitor, invocation.out()), arguments);
    }

    @Command(
            name = "ids",
            description = {
                "Lists the connection ids of all consumers.",
                "EVENTS wait for their callback; CALLBACK is the thread that runs one now."
            })
    static final class Ids implements Callable<Integer> {
        private final Monitor monitor;
        private final PrintStream out;

        @Mixin
        private HelpOption help;

        /** An id and what it is. */
        private record Row(IdSnapshot id, String role, String queuePair) {}

        Ids(Monitor monitor, PrintStream out) {
            this.monitor = monitor;
            this.out = out;
        }

        @Override
        public Integer call() {
            Table table = new Table(
                    "ID", "STATE", "ROLE", "DEVICE", "LOCAL", "PEER", "QUEUE PAIR", "EVENTS", "CALLBACK", "CONSUMER");
            rows(monitor.snapshot())
                    .sorted(Comparator.comparingLong(row -> row.id().number()))
                    .forEach(row -> table.row(
                            row.id().number(),
                            state(row.id()),
                            row.role(),
                            row.id().device(),
                            row.id().local(),
                            row.id().peer(),
                            row.queuePair(),
                            row.id().pendingEvents(),
                            row.id().callbackThread(),
                            row.id().consumer()));
            table.print(out, "no ids");
            return 0;
        }

        private static Stream<Row> rows(Snapshot snapshot) {
            return Stream.of(
                            snapshot.ids().stream().map(id -> new Row(id, "", "")),
                            snapshot.listeners().stream()
                                    .map(ListenerSnapshot::id)
                                    .map(id -> new Row(id, "listener", "")),
                            snapshot.connections().stream().map(Ids::connection))
                    .flatMap(rows -> rows);
        }

        private static Row connection(ConnectionSnapshot connection) {
            String queuePair =
                    connection.queuePair() < 0 ? "" : connection.queuePair() + " " + connection.queuePairState();
            return new Row(connection.id(), connection.active() ? "active" : "passive", queuePair);
        }

        private static String state(IdSnapshot id) {
            return id.state() + (id.removing() ? ", removing" : "") + (id.destroying() ? ", destroying" : "");
        }
    }
}
