package org.verbena.rdma.core.guard;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Stops a thread at a place until the test lets it go on. */
public final class Pause implements Runnable {
    private static final long LIMIT_SECONDS = 30;

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** Called at the place: waits. */
    @Override
    public void run() {
        reached.countDown();
        await(released);
    }

    /** Called by the test: returns when a thread is at the place. */
    public void awaitReached() {
        await(reached);
    }

    /** Called by the test: lets all threads go on, also those that come later. */
    public void release() {
        released.countDown();
    }

    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                        throw new AssertionError("nobody came in " + LIMIT_SECONDS + " s");
                    }
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
