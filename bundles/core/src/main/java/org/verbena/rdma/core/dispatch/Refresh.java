package org.verbena.rdma.core.dispatch;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Brings something up to date: asked for on any thread, done on one at a time. Whoever asks while it is being done
 * returns at once, and it is done once more afterwards, so that what is left in the end is never older than the last
 * asking.
 *
 * <p>{@code asked} counts what was asked for and not done yet; who raises it from 0 does the work.
 */
public final class Refresh {
    private final Runnable work;
    private final AtomicInteger asked = new AtomicInteger();

    /**
     * Makes it.
     *
     * @param work what is done, without a lock; reads what there is now and passes it on
     */
    public Refresh(Runnable work) {
        this.work = work;
    }

    /**
     * Asks for it, and does it unless another thread is at it. What the work throws comes out here, but not before all that
     * was asked for meanwhile is done too.
     */
    public void ask() {
        if (asked.getAndIncrement() > 0) {
            return;
        }
        Throwable thrown = null;
        int seen;
        do {
            seen = asked.get();
            try {
                work.run();
            } catch (Throwable failed) {
                // Checked exceptions too: code of others may throw them without saying so.
                thrown = failed;
            }
        } while (!asked.compareAndSet(seen, 0));
        if (thrown != null) {
            Refresh.<RuntimeException>rethrow(thrown);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void rethrow(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
