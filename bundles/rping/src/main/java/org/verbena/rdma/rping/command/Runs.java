package org.verbena.rdma.rping.command;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.verbena.rdma.rping.run.Run;

/**
 * What runs now, each on a thread of its own, so that all of it can be ended with the component.
 *
 * <p>Nothing is ended by an interrupt: an interrupted thread that prints would close the output of a whole Gogo session.
 */
final class Runs {
    private final Set<Run> running = new HashSet<>();
    private final Duration patience;
    private boolean ended;

    Runs(Duration patience) {
        this.patience = patience;
    }

    /** Runs it to its end, or to the interrupt of the calling thread or the end of everything. */
    int run(Run run) throws InterruptedException, ExecutionException {
        enter(run);
        CompletableFuture<Integer> status = new CompletableFuture<>();
        new Thread(() -> carryOut(run, status), "rping").start();
        try {
            return status.get();
        } catch (InterruptedException e) {
            run.stop();
            awaitEnd(status);
            throw e;
        }
    }

    /** Ends all and waits for it, for as long as there is patience. */
    void end() {
        List<Run> all;
        synchronized (this) {
            ended = true;
            all = List.copyOf(running);
        }
        all.forEach(Run::stop);
        awaitNone();
    }

    private void carryOut(Run run, CompletableFuture<Integer> status) {
        try {
            int result = run.run();
            leave(run);
            status.complete(result);
        } catch (Exception | Error e) {
            leave(run);
            status.completeExceptionally(e);
        }
    }

    private void awaitEnd(CompletableFuture<Integer> status) throws InterruptedException {
        try {
            status.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // It ends in its own time; the caller does not wait any longer.
        }
    }

    private synchronized void awaitNone() {
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            for (long left; !running.isEmpty() && (left = deadline - System.nanoTime()) > 0; ) {
                // At least a millisecond: a wait of 0 would have no end.
                wait(TimeUnit.NANOSECONDS.toMillis(left) + 1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void enter(Run run) throws InterruptedException {
        if (ended) {
            throw new InterruptedException("rping is stopped");
        }
        running.add(run);
    }

    private synchronized void leave(Run run) {
        running.remove(run);
        notifyAll();
    }
}
