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

    /** Asks for it, and does it unless another thread is at it. */
    public void ask() {
        if (asked.getAndIncrement() > 0) {
            return;
        }
        int seen;
        do {
            seen = asked.get();
            boolean done = false;
            try {
                work.run();
                done = true;
            } finally {
                if (!done) {
                    asked.set(0);
                }
            }
        } while (!asked.compareAndSet(seen, 0));
    }
}
