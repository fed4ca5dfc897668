package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.util.List;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.table.Table;
import picocli.CommandLine.Command;

/** {@code rdma:listeners}. */
@Command(
        name = "listeners",
        description = {
            "Lists the ids that listen, and on which devices.",
            "FAILING is where one should listen and cannot; it is tried again by itself."
        })
public final class Listeners extends Listing {
    /**
     * Makes one use of the command.
     *
     * @param monitor what it works on
     * @param out where it prints to
     */
    public Listeners(Monitor monitor, PrintStream out) {
        super(monitor, out);
    }

    @Override
    public Integer call() {
        List<ListenerSnapshot> listeners = snapshot().listeners();
        Table table = new Table("ID", "LOCAL", "WAITING", "BACKLOG", "SERVED", "FAILING", "CONSUMER");
        for (ListenerSnapshot listener : listeners) {
            table.row(
                    listener.id().number(),
                    listener.id().local(),
                    listener.waiting(),
                    listener.backlog(),
                    listener.served().isEmpty() ? "none" : String.join(", ", listener.served()),
                    String.join(", ", listener.failures()),
                    listener.id().consumer());
        }
        print(listeners, table, "no listeners");
        return 0;
    }
}
