package org.verbena.rdma.core.dispatch;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls into providers that are made one after the other, each of which might hang: when one does not come back soon,
 * another thread goes on with those behind it.
 *
 * <p>The queue and the latch are concurrent; nothing else is shared.
 */
public final class Errands {
    private static final Logger LOGGER = LoggerFactory.getLogger(Errands.class);
    /** After how long without progress another thread takes over. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Dispatcher dispatcher;
    private final ConcurrentLinkedQueue<Runnable> waiting;
    private final CountDownLatch left;

    /**
     * Makes them.
     *
     * @param dispatcher gives the threads
     * @param errands what is to be done, begun in this order
     */
    public Errands(Dispatcher dispatcher, Collection<? extends Runnable> errands) {
        this.dispatcher = dispatcher;
        waiting = new ConcurrentLinkedQueue<>(errands);
        left = new CountDownLatch(errands.size());
    }

    /**
     * Does them on core's threads and waits.
     *
     * @param deadlineNanos when to give up waiting, as {@link System#nanoTime()}; what was not begun by then is still done
     * @return whether all are done
     */
    public boolean runUntil(long deadlineNanos) {
        boolean interrupted = false;
        boolean done = left.getCount() == 0;
        long seen = -1;
        while (!done) {
            if (left.getCount() == seen || seen < 0) {
                dispatcher.runOnCore(this::work);
            }
            seen = left.getCount();
            long patience = Math.min(PATIENCE_NANOS, deadlineNanos - System.nanoTime());
            if (patience <= 0) {
                break;
            }
            try {
                done = left.await(patience, TimeUnit.NANOSECONDS);
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return done;
    }

    private void work() {
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
            try {
                next.run();
            } catch (RuntimeException | Error broken) {
                LOGGER.warn("a provider has failed", broken);
            } finally {
                left.countDown();
            }
        }
    }
}
