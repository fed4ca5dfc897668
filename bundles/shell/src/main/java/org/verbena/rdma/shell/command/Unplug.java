package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.RemovalSnapshot;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code rdma:unplug}. */
@Command(
        name = "unplug",
        description = {
            "Takes a device out, as if its provider had taken it away, and waits for the end of the removal.",
            "plug puts it back."
        })
public final class Unplug implements Callable<Integer> {
    /** After this time without an end it says what is waited for. */
    private static final Duration SHORT_TIME = Duration.ofSeconds(1);

    private static final long NONE = -1;

    private final Monitor monitor;
    private final PrintStream out;

    @Parameters(paramLabel = "NAME", description = "The name of the device.")
    private String name;

    @Mixin
    private HelpOption help;

    /**
     * Makes one use of the command.
     *
     * @param monitor what it works on
     * @param out where it prints to
     */
    public Unplug(Monitor monitor, PrintStream out) {
        this.monitor = monitor;
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        long number = number();
        RemovalWatch watch = new RemovalWatch(number);
        Monitor.Registration registration = monitor.addListener(watch);
        try {
            Outcome outcome = new Outcome(monitor.unplug(name));
            while (!outcome.await(SHORT_TIME)) {
                monitor.snapshot().removals().stream()
                        .filter(removal -> removal.deviceNumber() == number)
                        .forEach(this::printProgress);
            }
            // The listener is told on its own, maybe a little later.
            printResult(watch.ended(SHORT_TIME));
        } finally {
            registration.close();
        }
        return 0;
    }

    /** The number of the device with the name that is in; core says what is wrong if there is none. */
    private long number() {
        return monitor.snapshot().devices().stream()
                .filter(device -> device.name().equals(name) && device.condition() == Condition.PRESENT)
                .mapToLong(DeviceSnapshot::number)
                .findFirst()
                .orElse(NONE);
    }

    private void printProgress(RemovalSnapshot removal) {
        out.println("  " + Words.seconds(removal.elapsedMillis()) + ": " + Words.progress(removal));
        // A console by SSH would show nothing before the end.
        out.flush();
    }

    private void printResult(RemovalSnapshot removal) {
        if (removal == null) {
            out.println("device " + name + " is out");
            return;
        }
        out.println("device " + name + " is out after " + Words.seconds(removal.elapsedMillis()) + ": "
                + Words.ids(removal.idsTold()) + " told, "
                + (removal.forced().isEmpty() ? "nobody forced" : "forced: " + String.join(", ", removal.forced())));
    }
}
