package org.verbena.rdma.provider.iwarp.queue;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.iwarp.memory.SegmentTable;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;
import org.verbena.rdma.spi.ReceiveRequest;

/**
 * A shared receive queue: many threads post, the loops of its queue pairs take. A bounded ring without a lock; slots
 * change hands as in {@link CompletionRing}.
 */
public final class SharedReceiveRing implements ProviderSharedReceiveQueue, ReceiveSource {
    private final int limit;
    private final int maxSegments;
    private final int mask;
    private final SegmentTable segments;
    private final long[] workRequestIds;
    private final AtomicLongArray sequences;
    private final AtomicLong tail = new AtomicLong();
    private final AtomicLong head = new AtomicLong();

    public SharedReceiveRing(int maxReceives, int maxSegments) {
        int capacity = Rings.capacity(maxReceives);
        this.limit = maxReceives;
        this.maxSegments = maxSegments;
        this.mask = capacity - 1;
        this.segments = new SegmentTable(capacity, maxSegments);
        this.workRequestIds = new long[capacity];
        this.sequences = new AtomicLongArray(capacity);
        for (int i = 0; i < capacity; i++) {
            sequences.setPlain(i, i);
        }
    }

    public int maxSegments() {
        return maxSegments;
    }

    @Override
    public void postReceive(ReceiveRequest request) throws RdmaException {
        long position;
        while (true) {
            position = tail.get();
            if (position - head.get() >= limit) {
                throw full();
            }
            long difference = sequences.get((int) position & mask) - position;
            if (difference == 0) {
                if (tail.compareAndSet(position, position + 1)) {
                    break;
                }
            } else if (difference < 0) {
                // Not full: a loop has taken the slot, and is about to give it back.
                Thread.yield();
            }
        }
        int at = (int) position & mask;
        workRequestIds[at] = request.workRequestId();
        segments.store(at, request);
        sequences.setRelease(at, position + 1);
    }

    @Override
    public boolean take(ReceiveWork into) {
        while (true) {
            long position = head.get();
            int at = (int) position & mask;
            long difference = sequences.get(at) - (position + 1);
            if (difference == 0) {
                if (head.compareAndSet(position, position + 1)) {
                    segments.load(at, into.segments());
                    segments.clear(at);
                    into.fill(workRequestIds[at]);
                    sequences.setRelease(at, position + mask + 1);
                    return true;
                }
            } else if (difference < 0) {
                return false;
            }
        }
    }

    @Override
    public void finished(ReceiveWork taken) {
        taken.empty();
    }

    private RdmaException full() {
        return new RdmaException(
                RdmaError.NO_MEMORY,
                "the shared receive queue holds " + limit + " requests already: wait for completions");
    }

    @Override
    public void close() {
        // Receives that were not used up are gone with it.
    }
}
