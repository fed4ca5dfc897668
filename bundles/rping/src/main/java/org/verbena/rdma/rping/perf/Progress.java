package org.verbena.rdma.rping.perf;

import java.time.Duration;
import org.verbena.rdma.rping.run.Console;

/** The time of one measurement; says each second how far it is. Used by one thread. */
final class Progress {
    private static final long SECOND = 1_000_000_000L;

    private final String what;
    private final long length;
    private final Console console;
    private final long start = System.nanoTime();
    private long now = start;
    private long told;

    Progress(String what, Duration length, Console console) {
        this.what = what;
        this.length = length.toNanos();
        this.console = console;
    }

    /** Whether there is time left. */
    boolean goesOn() {
        now = System.nanoTime();
        long second = (now - start) / SECOND;
        if (second > told && now - start < length) {
            told = second;
            console.print("  " + what + ": " + second + " s of " + length / SECOND + " s");
        }
        return now - start < length;
    }

    /** How long it has taken. */
    double seconds() {
        return (double) (now - start) / SECOND;
    }
}
