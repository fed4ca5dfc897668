package org.verbena.rdma.core.verbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.verbena.rdma.spi.CompletionUpcalls;

/**
 * The events of one completion queue: how many were asked for, how many wait in the channel. It is itself the link of
 * the channel's list, so that an upcall allocates nothing.
 *
 * <p>Both counts are atomic. Whoever raises {@code waiting} from 0 puts this into the channel's list; the channel takes it
 * out when the count is 0 again. So this is in the list at most once, and {@code next} belongs to whoever put it there.
 */
final class QueueEvents implements CompletionUpcalls {
    private static final VarHandle REQUESTED;
    private static final VarHandle WAITING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            REQUESTED = lookup.findVarHandle(QueueEvents.class, "requested", int.class);
            WAITING = lookup.findVarHandle(QueueEvents.class, "waiting", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final GuardedCompletionQueue queue;
    private final GuardedCompletionChannel channel;
    private volatile int requested;
    private volatile int waiting;

    /** The link of the channel's list. */
    QueueEvents next;

    QueueEvents(GuardedCompletionQueue queue, GuardedCompletionChannel channel) {
        this.queue = queue;
        this.channel = channel;
    }

    GuardedCompletionQueue queue() {
        return queue;
    }

    /** Notification is about to be asked for. */
    void request() {
        int before;
        do {
            before = requested;
        } while (before != Integer.MAX_VALUE && !REQUESTED.compareAndSet(this, before, before + 1));
    }

    /** Notification was not asked for after all, or its event has come; returns whether one was outstanding. */
    boolean fulfil() {
        int before;
        do {
            before = requested;
        } while (before != 0 && !REQUESTED.compareAndSet(this, before, before - 1));
        return before != 0;
    }

    @Override
    public void completionEvent() {
        if (queue.fate == Fate.OPEN && channel != null && fulfil()) {
            raise();
        }
    }

    /** Tells of flushed completions, unless an event waits anyway. */
    void tellOfFlushed() {
        if (channel != null && waiting == 0) {
            raise();
        }
    }

    private void raise() {
        boolean first = (int) WAITING.getAndAdd(this, 1) == 0;
        channel.raise(this, first);
    }

    /** Takes one event; returns whether none is left. */
    boolean take() {
        return (int) WAITING.getAndAdd(this, -1) == 1;
    }
}
