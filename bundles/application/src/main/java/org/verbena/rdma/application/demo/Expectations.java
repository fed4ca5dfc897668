package org.verbena.rdma.application.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What must be seen; prints it when it is, and ends the demo when it is not. */
final class Expectations {
    private static final Duration GLANCE = Duration.ofMillis(20);

    private final PrintStream out;
    private final Duration patience;
    private int seen;

    /**
     * Nothing is met yet.
     *
     * @param patience how soon is soon
     */
    Expectations(PrintStream out, Duration patience) {
        this.out = out;
        this.patience = patience;
    }

    /** How many were met so far. */
    int seen() {
        return seen;
    }

    /** Must be so now. */
    void now(String what, boolean fact) throws DemoFailedException {
        if (!fact) {
            throw new DemoFailedException("not seen: " + what);
        }
        met(what);
    }

    /** Must become so soon. */
    void soon(String what, BooleanSupplier fact) throws DemoFailedException, InterruptedException {
        soonPresent(what, () -> fact.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /** Must be there soon. */
    <T> T soonPresent(String what, Supplier<Optional<T>> fact) throws DemoFailedException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        Optional<T> found = fact.get();
        while (found.isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                throw new DemoFailedException("not seen within " + patience.toSeconds() + " s: " + what);
            }
            // What is looked at are snapshots, which announce nothing.
            TimeUnit.MILLISECONDS.sleep(GLANCE.toMillis());
            found = fact.get();
        }
        met(what);
        return found.get();
    }

    private void met(String what) {
        seen++;
        out.println("   seen: " + what);
    }
}
