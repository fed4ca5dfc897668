package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.RemovalSnapshot;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code rdma:unplug}. */
@Component(
        service = UnplugCommand.class,
        property = {"osgi.command.scope=rdma", "osgi.command.function=unplug"})
public final class UnplugCommand {
    private final Monitor monitor;

    @Activate
    public UnplugCommand(@Reference Monitor monitor) {
        this.monitor = monitor;
    }

    /** The Gogo command. */
    @Descriptor("takes a device out, as if it was pulled")
    public void unplug(String[] arguments) {
        Invocation.inGogo(invocation -> new Unplug(monitor, invocation.out()), arguments);
    }

    @Command(
            name = "unplug",
            description = {
                "Takes a device out, as if its provider had taken it away, and waits for the end of the removal.",
                "plug puts it back."
            })
    static final class Unplug implements Callable<Integer> {
        /** After this time without an end it says what is waited for. */
        private static final Duration SHORT_TIME = Duration.ofSeconds(1);

        private final Monitor monitor;
        private final PrintStream out;

        @Parameters(paramLabel = "NAME", description = "The name of the device.")
        private String name;

        @Mixin
        private HelpOption help;

        Unplug(Monitor monitor, PrintStream out) {
            this.monitor = monitor;
            this.out = out;
        }

        @Override
        public Integer call() throws Exception {
            RemovalWatch watch = new RemovalWatch(name);
            Monitor.Registration registration = monitor.addListener(watch);
            try {
                Outcome outcome = new Outcome(monitor.unplug(name));
                while (!outcome.await(SHORT_TIME)) {
                    monitor.snapshot().removals().stream()
                            .filter(removal -> removal.device().equals(name))
                            .forEach(this::printProgress);
                }
                // The listener is told on its own, maybe a little later.
                printResult(watch.ended(SHORT_TIME));
            } finally {
                registration.close();
            }
            return 0;
        }

        private void printProgress(RemovalSnapshot removal) {
            out.println("  " + seconds(removal.elapsedMillis()) + ": "
                    + removal.step().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                    + (removal.idsLeft() > 0 ? ", " + ids(removal.idsLeft()) + " left" : "")
                    + (removal.waitingFor().isEmpty() ? "" : ", " + String.join("; ", removal.waitingFor())));
        }

        private void printResult(RemovalSnapshot removal) {
            if (removal == null) {
                out.println("device " + name + " is out");
                return;
            }
            out.println("device " + name + " is out after " + seconds(removal.elapsedMillis()) + ": "
                    + ids(removal.idsTold()) + " told, "
                    + (removal.forced().isEmpty()
                            ? "nobody forced"
                            : "forced: " + String.join(", ", removal.forced())));
        }

        private static String ids(int count) {
            return count + (count == 1 ? " id" : " ids");
        }

        private static String seconds(long millis) {
            return String.format(Locale.ROOT, "%.3f s", millis / 1000.0);
        }
    }
}
