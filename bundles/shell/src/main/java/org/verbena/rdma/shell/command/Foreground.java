package org.verbena.rdma.shell.command;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Work that prints until somebody interrupts the command, on a thread of its own that is told to stop and never
 * interrupted: an interrupted thread that prints would close the output of a whole Gogo session.
 */
final class Foreground {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final CountDownLatch stop = new CountDownLatch(1);

    private Foreground() {}

    /** What runs. */
    interface Work {
        void run(Foreground stop) throws Exception;
    }

    /**
     * Runs it to its end, or to the interrupt of the calling thread.
     *
     * @throws InterruptedException after an interrupt, when the work has ended or does not in time
     */
    static void run(String name, Work work) throws Exception {
        Foreground foreground = new Foreground();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> foreground.carryOut(work, ended), name);
        thread.setDaemon(true);
        thread.start();
        try {
            ended.get();
        } catch (InterruptedException interrupted) {
            foreground.stop.countDown();
            awaitEnd(ended);
            throw interrupted;
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    private void carryOut(Work work, CompletableFuture<Void> ended) {
        try {
            work.run(this);
            ended.complete(null);
        } catch (Exception | Error failure) {
            ended.completeExceptionally(failure);
        }
    }

    private static void awaitEnd(CompletableFuture<Void> ended) throws InterruptedException {
        try {
            ended.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException itsOwn) {
            return;
        }
    }

    /** Waits; returns whether the work is to stop. */
    boolean within(Duration time) throws InterruptedException {
        return stop.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether the work is to stop. */
    boolean isStopped() {
        return stop.getCount() == 0;
    }
}
