package org.verbena.rdma.provider.loopback.verbs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.loopback.schedule.UpcallQueue;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.ProviderCompletionQueue;

/**
 * A completion queue: a ring of numbers, so that neither side allocates.
 *
 * <p>{@code lock} guards the ring, what notification was asked for, and whether the queue is broken; it is released
 * before core is called. {@code queuePairs} is safe by itself.
 */
public final class LoopbackCompletionQueue implements ProviderCompletionQueue {
    private static final WorkCompletionStatus[] STATUSES = WorkCompletionStatus.values();
    private static final WorkCompletionOperation[] OPERATIONS = WorkCompletionOperation.values();
    private static final int WORDS = 4;
    private static final int INT_BITS = 32;
    private static final int BYTE_BITS = 8;
    private static final int BYTE_MASK = 0xFF;

    private enum Notification {
        NONE,
        SOLICITED,
        ANY
    }

    private final int entries;
    private final UpcallQueue events;
    private final Runnable event;
    private final List<LoopbackQueuePair> queuePairs = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final long[] ring;
    private int oldest;
    private int count;
    private Notification notification = Notification.NONE;
    private boolean broken;

    LoopbackCompletionQueue(int entries, CompletionUpcalls upcalls, Executor executor) {
        this.entries = entries;
        this.events = new UpcallQueue(executor);
        this.event = upcalls::completionEvent;
        this.ring = new long[WORDS * entries];
    }

    @Override
    public int entries() {
        return entries;
    }

    @Override
    public int poll(CompletionSink sink, int max) throws RdmaException {
        int taken = 0;
        while (taken < max) {
            long id;
            long byteCount;
            long kind;
            long extra;
            lock.lock();
            try {
                checkWhole();
                if (count == 0) {
                    return taken;
                }
                int at = oldest * WORDS;
                id = ring[at];
                byteCount = ring[at + 1];
                kind = ring[at + 2];
                extra = ring[at + 3];
                oldest = oldest + 1 == entries ? 0 : oldest + 1;
                count--;
            } finally {
                lock.unlock();
            }
            sink.completion(
                    id,
                    STATUSES[(int) kind & BYTE_MASK],
                    OPERATIONS[(int) kind >> BYTE_BITS & BYTE_MASK],
                    byteCount,
                    (int) (kind >>> INT_BITS),
                    (int) kind >> 2 * BYTE_BITS & BYTE_MASK,
                    (int) extra,
                    0);
            taken++;
        }
        return taken;
    }

    @Override
    public void requestNotification(boolean solicitedOnly) throws RdmaException {
        lock.lock();
        try {
            checkWhole();
            if (!solicitedOnly) {
                notification = Notification.ANY;
            } else if (notification == Notification.NONE) {
                notification = Notification.SOLICITED;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        events.close();
    }

    void attach(LoopbackQueuePair queuePair) {
        queuePairs.add(queuePair);
    }

    void detach(LoopbackQueuePair queuePair) {
        queuePairs.remove(queuePair);
    }

    /** Puts a completion. If there is no room the queue breaks, and its queue pairs with it. */
    void put(
            long id,
            WorkCompletionStatus status,
            WorkCompletionOperation operation,
            long byteCount,
            int queuePairNumber,
            int flags,
            int keyOrImmediate,
            boolean solicited) {
        boolean overflow;
        boolean tell;
        lock.lock();
        try {
            if (broken) {
                return;
            }
            overflow = count == entries;
            if (overflow) {
                broken = true;
            } else {
                int newest = oldest + count;
                int at = WORDS * (newest < entries ? newest : newest - entries);
                ring[at] = id;
                ring[at + 1] = byteCount;
                ring[at + 2] = (long) queuePairNumber << INT_BITS
                        | (long) flags << 2 * BYTE_BITS
                        | (long) operation.ordinal() << BYTE_BITS
                        | status.ordinal();
                ring[at + 3] = keyOrImmediate;
                count++;
            }
            boolean urgent = solicited || overflow || status != WorkCompletionStatus.SUCCESS;
            tell = notification == Notification.ANY || urgent && notification == Notification.SOLICITED;
            if (tell) {
                notification = Notification.NONE;
            }
        } finally {
            lock.unlock();
        }
        if (tell) {
            events.add(event);
        }
        if (overflow) {
            // Not on this stack: whoever puts may be in the middle of one of these queue pairs.
            events.add(() -> queuePairs.forEach(LoopbackQueuePair::fail));
        }
    }

    /** Call with the lock. */
    private void checkWhole() throws RdmaException {
        if (broken) {
            throw new RdmaException(
                    RdmaError.INPUT_OUTPUT,
                    "the completion queue of " + entries + " entries has overflowed: make a larger one");
        }
    }
}
