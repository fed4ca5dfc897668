package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.table.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rdma:listeners}. */
@Component(
        service = ListenersCommand.class,
        property = {"osgi.command.scope=rdma", "osgi.command.function=listeners"})
public final class ListenersCommand {
    private final Monitor monitor;

    @Activate
    public ListenersCommand(@Reference Monitor monitor) {
        this.monitor = monitor;
    }

    /** The Gogo command. */
    @Descriptor("lists the ids that listen, and on which devices")
    public void listeners(String[] arguments) {
        Invocation.inGogo(invocation -> new Listeners(monitor, invocation.out()), arguments);
    }

    @Command(
            name = "listeners",
            description = {
                "Lists the ids that listen, and on which devices.",
                "FAILING is where one should listen and cannot; it is tried again by itself."
            })
    static final class Listeners implements Callable<Integer> {
        private final Monitor monitor;
        private final PrintStream out;

        @Mixin
        private HelpOption help;

        Listeners(Monitor monitor, PrintStream out) {
            this.monitor = monitor;
            this.out = out;
        }

        @Override
        public Integer call() {
            Table table = new Table("ID", "LOCAL", "WAITING", "BACKLOG", "SERVED", "FAILING", "CONSUMER");
            for (ListenerSnapshot listener : monitor.snapshot().listeners()) {
                table.row(
                        listener.id().number(),
                        listener.id().local(),
                        listener.waiting(),
                        listener.backlog(),
                        listener.served().isEmpty() ? "none" : String.join(", ", listener.served()),
                        String.join(", ", listener.failures()),
                        listener.id().consumer());
            }
            table.print(out, "no listeners");
            return 0;
        }
    }
}
