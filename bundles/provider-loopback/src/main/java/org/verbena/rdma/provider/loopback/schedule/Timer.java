package org.verbena.rdma.provider.loopback.schedule;

import java.time.Duration;

/** Where a task is put that is due later, so that tests can own the time. */
@FunctionalInterface
public interface Timer {
    /**
     * Puts a task.
     *
     * @param delay when it is due
     * @param task what to run, not in this call; it never blocks
     * @return how to take it back
     */
    Alarm after(Duration delay, Runnable task);

    /** A task that is due later. */
    @FunctionalInterface
    interface Alarm {
        /** Takes the task back unless it has begun. */
        void cancel();
    }
}
