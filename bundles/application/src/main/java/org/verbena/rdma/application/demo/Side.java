package org.verbena.rdma.application.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.verbena.rdma.rping.Rping;

/** One rping, server or client, on a thread of its own, and what it has told. */
final class Side {
    /** Data lines that are shown and kept; traffic makes more than anybody reads. */
    private static final int KEPT = 10;

    private static final int SHOWN = 2;
    private static final int SHOWN_WIDTH = 72;
    private static final String DATA = "ping data: ";

    private final String name;
    private final PrintStream out;
    private final Thread thread;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<String> data = new CopyOnWriteArrayList<>();
    private final AtomicLong pings = new AtomicLong();
    private final CompletableFuture<Integer> status = new CompletableFuture<>();

    private Side(String name, PrintStream out, Rping rping, List<String> arguments) {
        this.name = name;
        this.out = out;
        this.thread = new Thread(() -> run(rping, arguments), "demo: " + name);
    }

    static Side start(String name, PrintStream out, Rping rping, List<String> arguments) {
        Side side = new Side(name, out, rping, arguments);
        out.println("   " + name + " $ rping " + String.join(" ", arguments));
        side.thread.start();
        return side;
    }

    /** How many pings it has printed. */
    long pings() {
        return pings.get();
    }

    /** What the first pings have carried. */
    List<String> data() {
        return List.copyOf(data);
    }

    /** The first line so far that has a text in it. */
    Optional<String> line(String text) {
        return lines.stream().filter(line -> line.contains(text)).findFirst();
    }

    /** Its exit status, if it has ended. */
    Optional<Integer> status() {
        return Optional.ofNullable(status.getNow(null));
    }

    boolean running() {
        return !status.isDone();
    }

    void stop() {
        thread.interrupt();
    }

    private void run(Rping rping, List<String> arguments) {
        PrintStream transcript = new PrintStream(new Transcript(this::take), true, UTF_8);
        try {
            status.complete(rping.run(arguments, transcript, transcript));
        } catch (InterruptedException e) {
            // The demo has stopped it.
            status.complete(0);
        }
    }

    private void take(String line) {
        int at = line.indexOf(DATA);
        if (at < 0) {
            lines.add(line);
            show(line);
            return;
        }
        long number = pings.incrementAndGet();
        if (number <= KEPT) {
            data.add(line.substring(at + DATA.length()));
        }
        if (number <= SHOWN) {
            show(line.length() > SHOWN_WIDTH ? line.substring(0, SHOWN_WIDTH) + "..." : line);
        } else if (number == SHOWN + 1) {
            show("...");
        }
    }

    private void show(String line) {
        out.println("   " + name + " | " + line);
    }
}
