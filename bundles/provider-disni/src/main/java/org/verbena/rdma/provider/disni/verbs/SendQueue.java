package org.verbena.rdma.provider.disni.verbs;

import java.util.concurrent.locks.ReentrantLock;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.spi.SendRequest;

/**
 * The sends of one queue pair. They are done in order, so that one that reports success tells that those before it, which
 * were not signaled, are done too.
 *
 * <p>{@code lock} guards the ring and the segments, and is held while the device is posted to, which never waits; thus
 * the order here is the order there.
 */
final class SendQueue implements WorkQueue {
    private static final WorkCompletionOperation[] OPERATIONS = WorkCompletionOperation.values();
    private static final byte SIGNALED = 64;
    private static final byte OPERATION_MASK = 63;

    private final VerbsNatives natives;
    private final int capacity;
    private final SegmentList segments;
    private final ReentrantLock lock = new ReentrantLock();
    private final long[] ids;
    private final byte[] kinds;
    /** Slots count up from 0 and wrap around; those from {@code oldest} to {@code next} are outstanding. */
    private int oldest;

    private int next;

    SendQueue(VerbsNatives natives, int capacity, int maxSegments) {
        this.natives = natives;
        this.capacity = capacity;
        segments = new SegmentList(natives, maxSegments);
        int places = Integer.highestOneBit(Math.max(1, capacity - 1)) * 2;
        ids = new long[places];
        kinds = new byte[places];
    }

    /** Posts a send; returns 0, or what the device has answered, and then nothing is outstanding. */
    int post(long queuePair, int key, SendRequest request) throws RdmaException {
        SendOperation operation = request.operation();
        lock.lock();
        try {
            if (next - oldest == capacity) {
                throw new RdmaException(
                        RdmaError.NO_MEMORY,
                        "the send queue of " + capacity + " requests is full: poll completions, or ask for more");
            }
            segments.write(request);
            int result = natives.postSend(
                    queuePair,
                    WorkQueues.number(key, next),
                    NativeNumbers.operation(operation),
                    NativeNumbers.flags(request),
                    operation == SendOperation.SEND_WITH_INVALIDATE ? request.remoteKey() : request.immediateData(),
                    request.remoteAddress(),
                    request.remoteKey(),
                    request.compareOrAdd(),
                    request.swap(),
                    segments.address(),
                    request.segmentCount());
            if (result == 0) {
                int place = next & ids.length - 1;
                ids[place] = request.workRequestId();
                kinds[place] =
                        (byte) (NativeNumbers.completed(operation).ordinal() | (request.isSignaled() ? SIGNALED : 0));
                next++;
            }
            return result;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void done(
            int slot,
            WorkCompletionStatus status,
            int operation,
            int byteCount,
            int queuePairNumber,
            int flags,
            int keyOrImmediate,
            int vendorError,
            Completions to) {
        lock.lock();
        try {
            if (slot - oldest < 0 || slot - next >= 0) {
                return;
            }
            oldest = slot + 1;
            int place = slot & ids.length - 1;
            to.add(
                    ids[place],
                    status,
                    OPERATIONS[kinds[place] & OPERATION_MASK],
                    byteCount & 0xFFFF_FFFFL,
                    queuePairNumber,
                    0,
                    0,
                    vendorError);
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return oldest == next;
        } finally {
            lock.unlock();
        }
    }

    /** Whether some of the outstanding sends must be reported. */
    boolean hasSignaled() {
        lock.lock();
        try {
            for (int slot = oldest; slot != next; slot++) {
                if ((kinds[slot & ids.length - 1] & SIGNALED) != 0) {
                    return true;
                }
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Reports what is outstanding, and has to be reported, as flushed. */
    void flush(int queuePairNumber, Completions to) {
        lock.lock();
        try {
            for (; oldest != next; oldest++) {
                int place = oldest & ids.length - 1;
                if ((kinds[place] & SIGNALED) != 0) {
                    to.add(
                            ids[place],
                            WorkCompletionStatus.FLUSHED,
                            OPERATIONS[kinds[place] & OPERATION_MASK],
                            0,
                            queuePairNumber,
                            0,
                            0,
                            0);
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
