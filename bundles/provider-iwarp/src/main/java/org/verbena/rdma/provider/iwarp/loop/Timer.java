package org.verbena.rdma.provider.iwarp.loop;

/** Something that happens on a loop at a time to come. Used on its loop only. */
public final class Timer implements Comparable<Timer> {
    private final long deadline;
    private final Runnable action;
    private boolean cancelled;

    Timer(long deadline, Runnable action) {
        this.deadline = deadline;
        this.action = action;
    }

    /** Sees to it that it does not happen. */
    public void cancel() {
        cancelled = true;
    }

    boolean isCancelled() {
        return cancelled;
    }

    long nanosFrom(long now) {
        return deadline - now;
    }

    void run() {
        action.run();
    }

    @Override
    public int compareTo(Timer other) {
        return Long.signum(deadline - other.deadline);
    }
}
