package org.verbena.rdma.core.dispatch;

/**
 * Something that runs step by step on a {@link Lane}, never two steps at a time.
 *
 * <p>A turn is in its lane's queue at most once; whoever schedules it sees to that. The link of the queue is here, so
 * that scheduling allocates nothing and cannot fail for want of memory. It is guarded by the lane.
 */
public abstract class Turn {
    /** The next turn in the lane's queue; guarded by the lane. */
    Turn next;

    /** When it was queued, or 0 if nobody recorded then; written before it is queued. */
    long queuedNanos;

    /** Makes a turn that is in no queue. */
    protected Turn() {}

    /** Runs one step on a dispatcher thread. Schedules itself again if there is more to do. */
    protected abstract void step();

    /**
     * Says what a step is, for those who look for a blocked one.
     *
     * @return a few words
     */
    protected abstract String label();
}
