package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.command.TracedEvents.Line;
import org.verbena.rdma.shell.json.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rdma:trace}. */
@Command(
        name = "trace",
        description = {
            "Shows what happens, as it happens, until interrupted: events as they are delivered to consumers, devices"
                    + " that come and go, the steps of removals, callbacks that block.",
        })
public final class Trace implements Callable<Integer> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final long LOOK_MILLIS = 100;

    private final Monitor monitor;
    private final PrintStream out;

    @Mixin
    private HelpOption help;

    @Option(names = "--json", description = "Print JSON, an object a line.")
    private boolean json;

    @Option(
            names = {"-i", "--id"},
            paramLabel = "NUMBER",
            description = "Only the events of this id.")
    private Long id;

    @Parameters(paramLabel = "DEVICE", arity = "0..1", description = "Only what happens on this device.")
    private String device;

    /**
     * Makes one use of the command.
     *
     * @param monitor what it works on
     * @param out where it prints to
     */
    public Trace(Monitor monitor, PrintStream out) {
        this.monitor = monitor;
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        if (id != null && Ids.rows(monitor.snapshot()).noneMatch(row -> row.id().number() == id)) {
            throw new RdmaException(RdmaError.NOT_FOUND, "there is no id " + id + "; rdma:ids lists those there are");
        }
        TracedEvents events = new TracedEvents(device, id);
        Monitor.Registration registration = monitor.addListener(events);
        try {
            Foreground.run("rdma:trace", stop -> printUntil(stop, events));
        } finally {
            registration.close();
        }
        return 0;
    }

    private void printUntil(Foreground stop, TracedEvents events) throws InterruptedException {
        while (!stop.isStopped()) {
            Line line = events.next(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            if (line != null) {
                print(line);
                out.flush();
            }
        }
    }

    private void print(Line line) {
        if (json) {
            Json.oneLine().print(out, line);
        } else {
            String time = TIME.format(
                    LocalTime.ofInstant(java.time.Instant.ofEpochMilli(line.millis()), ZoneId.systemDefault()));
            out.println(time + "  " + line.what() + "  " + line.text());
        }
    }
}
