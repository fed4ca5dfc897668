package org.verbena.rdma.provider.iwarp.loop;

import java.util.TreeSet;

/** Something that happens on a loop at a time to come. Used on its loop only. */
public final class Timer implements Comparable<Timer> {
    private final TreeSet<Timer> timers;
    private final long deadline;
    private final long number;
    private final Runnable action;

    Timer(TreeSet<Timer> timers, long deadline, long number, Runnable action) {
        this.timers = timers;
        this.deadline = deadline;
        this.number = number;
        this.action = action;
    }

    /** Sees to it that it does not happen, and lets go of what it would have done. */
    public void cancel() {
        timers.remove(this);
    }

    long nanosFrom(long now) {
        return deadline - now;
    }

    void run() {
        action.run();
    }

    @Override
    public int compareTo(Timer other) {
        long difference = deadline - other.deadline;
        return difference != 0 ? Long.signum(difference) : Long.compare(number, other.number);
    }
}
