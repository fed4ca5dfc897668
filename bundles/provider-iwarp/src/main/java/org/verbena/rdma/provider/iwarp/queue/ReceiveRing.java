package org.verbena.rdma.provider.iwarp.queue;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.iwarp.memory.SegmentTable;
import org.verbena.rdma.spi.ReceiveRequest;

/**
 * The receive queue of one queue pair: many threads post, its loop takes.
 *
 * <p>A posting thread owns a slot from the moment it moves {@code claimed} over it until it sets {@code published}; then
 * the loop owns it until it moves {@code retired}, which only the loop writes.
 */
public final class ReceiveRing implements ReceiveSource {
    private final int limit;
    private final int mask;
    private final SegmentTable segments;
    private final long[] workRequestIds;
    private final AtomicLongArray published;
    private final AtomicLong claimed = new AtomicLong();
    private final AtomicLong retired = new AtomicLong();

    /** Used on the loop only. */
    private long next;

    public ReceiveRing(int maxReceives, int maxSegments) {
        int capacity = Rings.capacity(maxReceives);
        limit = maxReceives;
        mask = capacity - 1;
        segments = new SegmentTable(capacity, maxSegments);
        workRequestIds = new long[capacity];
        published = new AtomicLongArray(capacity);
    }

    /** Posts a receive, on any thread. */
    public void post(ReceiveRequest request) throws RdmaException {
        long position;
        do {
            position = claimed.get();
            if (position - retired.get() >= limit) {
                throw new RdmaException(
                        RdmaError.NO_MEMORY,
                        "the receive queue holds " + limit + " requests already: wait for completions");
            }
        } while (!claimed.compareAndSet(position, position + 1));
        int at = (int) position & mask;
        workRequestIds[at] = request.workRequestId();
        segments.store(at, request);
        // A volatile write: it must not pass the look at whether the loop knows of work already.
        published.set(at, position + 1);
    }

    /** Whether all that was posted is done, on any thread. */
    public boolean isIdle() {
        return claimed.get() == retired.get();
    }

    @Override
    public boolean take(ReceiveWork into) {
        int at = (int) next & mask;
        if (published.getAcquire(at) != next + 1) {
            return false;
        }
        segments.load(at, into.segments());
        segments.clear(at);
        into.fill(workRequestIds[at]);
        next++;
        return true;
    }

    @Override
    public void finished(ReceiveWork taken) {
        taken.empty();
        retired.setRelease(next);
    }
}
