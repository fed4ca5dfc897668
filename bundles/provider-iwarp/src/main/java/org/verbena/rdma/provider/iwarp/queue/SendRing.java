package org.verbena.rdma.provider.iwarp.queue;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.provider.iwarp.memory.SegmentCursor;
import org.verbena.rdma.provider.iwarp.memory.SegmentTable;
import org.verbena.rdma.spi.SendRequest;

/**
 * The send queue of a queue pair: many threads post, its loop carries out and retires in the order of posting.
 *
 * <p>A posting thread owns a slot from the moment it moves {@code claimed} over it until it sets {@code published}; then
 * the loop owns it until it moves {@code retired}, which only the loop writes. A position is the number of a request
 * since the queue pair was made; its slot is the position modulo the capacity.
 */
public final class SendRing {
    private static final SendOperation[] OPERATIONS = SendOperation.values();
    private static final int SIGNALED = 1;
    private static final int SOLICITED = 2;
    private static final int FENCED = 4;

    private final int limit;
    private final int mask;
    private final SegmentTable segments;
    private final long[] workRequestIds;
    private final byte[] operations;
    private final byte[] flags;
    private final long[] remoteAddresses;
    private final int[] remoteKeys;
    private final long[] operands;
    private final long[] swaps;
    private final long[] totalLengths;
    private final AtomicLongArray published;
    private final AtomicLong claimed = new AtomicLong();
    private final AtomicLong retired = new AtomicLong();

    public SendRing(int maxSends, int maxSegments) {
        int capacity = Rings.capacity(maxSends);
        limit = maxSends;
        mask = capacity - 1;
        segments = new SegmentTable(capacity, maxSegments);
        workRequestIds = new long[capacity];
        operations = new byte[capacity];
        flags = new byte[capacity];
        remoteAddresses = new long[capacity];
        remoteKeys = new int[capacity];
        operands = new long[capacity];
        swaps = new long[capacity];
        totalLengths = new long[capacity];
        published = new AtomicLongArray(capacity);
    }

    /** Posts a request, on any thread. */
    public void post(SendRequest request) throws RdmaException {
        long position;
        do {
            position = claimed.get();
            if (position - retired.get() >= limit) {
                throw new RdmaException(
                        RdmaError.NO_MEMORY,
                        "the send queue holds " + limit + " requests already: wait for completions");
            }
        } while (!claimed.compareAndSet(position, position + 1));
        int at = (int) position & mask;
        workRequestIds[at] = request.workRequestId();
        operations[at] = (byte) request.operation().ordinal();
        flags[at] = (byte) ((request.isSignaled() ? SIGNALED : 0)
                | (request.isSolicited() ? SOLICITED : 0)
                | (request.isFenced() ? FENCED : 0));
        remoteAddresses[at] = request.remoteAddress();
        remoteKeys[at] = request.remoteKey();
        operands[at] = carriesImmediateData(request.operation()) ? request.immediateData() : request.compareOrAdd();
        swaps[at] = request.swap();
        totalLengths[at] = request.totalLength();
        segments.store(at, request);
        // A volatile write: it must not pass the look at whether the loop knows of work already.
        published.set(at, position + 1);
    }

    /** The position that the next request will get: what is below it has been posted. */
    public long claimed() {
        return claimed.get();
    }

    /** Whether all that was posted is done, on any thread. */
    public boolean isIdle() {
        return claimed.get() == retired.get();
    }

    /** The oldest position that is not retired. On the loop. */
    public long oldest() {
        return retired.getPlain();
    }

    public boolean isPublished(long position) {
        return published.getAcquire(at(position)) == position + 1;
    }

    /** Gives the slot of the oldest request back. On the loop, before its completion is told. */
    public void retireOldest() {
        long position = retired.getPlain();
        segments.clear(at(position));
        retired.setRelease(position + 1);
    }

    public long workRequestId(long position) {
        return workRequestIds[at(position)];
    }

    public SendOperation operation(long position) {
        return OPERATIONS[operations[at(position)]];
    }

    public boolean isSignaled(long position) {
        return (flags[at(position)] & SIGNALED) != 0;
    }

    public boolean isSolicited(long position) {
        return (flags[at(position)] & SOLICITED) != 0;
    }

    public boolean isFenced(long position) {
        return (flags[at(position)] & FENCED) != 0;
    }

    public long remoteAddress(long position) {
        return remoteAddresses[at(position)];
    }

    public int remoteKey(long position) {
        return remoteKeys[at(position)];
    }

    public int immediateData(long position) {
        return (int) operands[at(position)];
    }

    public long compareOrAdd(long position) {
        return operands[at(position)];
    }

    public long swap(long position) {
        return swaps[at(position)];
    }

    public long totalLength(long position) {
        return totalLengths[at(position)];
    }

    public void loadSegments(long position, SegmentCursor into) {
        segments.load(at(position), into);
    }

    /** The capacity, for arrays kept beside this ring. */
    public int capacity() {
        return mask + 1;
    }

    private static boolean carriesImmediateData(SendOperation operation) {
        return operation == SendOperation.SEND_WITH_IMMEDIATE || operation == SendOperation.WRITE_WITH_IMMEDIATE;
    }

    private int at(long position) {
        return (int) position & mask;
    }
}
