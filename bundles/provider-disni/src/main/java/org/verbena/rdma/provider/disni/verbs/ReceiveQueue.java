package org.verbena.rdma.provider.disni.verbs;

import java.util.concurrent.locks.ReentrantLock;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.ReceiveRequest;

/**
 * The receives of one queue pair or of a shared receive queue. Those of several queue pairs are not used up in order, so
 * each has a place of its own that is free again when it is done.
 *
 * <p>{@code lock} guards the places and the segments, and is held while the device is posted to, which never waits.
 */
final class ReceiveQueue implements WorkQueue {
    /** How the device is posted to. */
    interface Post {
        int post(long workRequestId, long segments, int segmentCount);
    }

    private static final int USED = -1;

    private final int capacity;
    private final Post post;
    private final SegmentList segments;
    private final ReentrantLock lock = new ReentrantLock();
    private final long[] ids;
    /** The places that are free, one leading to the next; {@link #USED} where one is not. */
    private final int[] nextFree;

    private int firstFree;
    private int outstanding;

    ReceiveQueue(VerbsNatives natives, int capacity, int maxSegments, Post post) {
        this.capacity = capacity;
        this.post = post;
        segments = new SegmentList(natives, maxSegments);
        ids = new long[capacity];
        nextFree = new int[capacity];
        for (int i = 0; i < capacity; i++) {
            nextFree[i] = i + 1;
        }
    }

    /** Posts a receive; returns 0, or what the device has answered, and then nothing is outstanding. */
    int post(int key, ReceiveRequest request) throws RdmaException {
        lock.lock();
        try {
            if (outstanding == capacity) {
                throw new RdmaException(
                        RdmaError.NO_MEMORY,
                        "the receive queue of " + capacity + " requests is full: poll completions, or ask for more");
            }
            segments.write(request);
            int place = firstFree;
            int result = post.post(WorkQueues.number(key, place), segments.address(), request.segmentCount());
            if (result == 0) {
                firstFree = nextFree[place];
                nextFree[place] = USED;
                ids[place] = request.workRequestId();
                outstanding++;
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
            if (slot < 0 || slot >= capacity || nextFree[slot] != USED) {
                return;
            }
            long id = ids[slot];
            release(slot);
            boolean success = status == WorkCompletionStatus.SUCCESS;
            int told = !success
                    ? 0
                    : (NativeNumbers.hasImmediate(flags) ? CompletionSink.IMMEDIATE_DATA : 0)
                            | (NativeNumbers.hasInvalidated(flags) ? CompletionSink.INVALIDATED : 0);
            to.add(
                    id,
                    status,
                    success ? NativeNumbers.received(operation) : WorkCompletionOperation.RECEIVE,
                    success ? byteCount & 0xFFFF_FFFFL : 0,
                    queuePairNumber,
                    told,
                    told == 0 ? 0 : keyOrImmediate,
                    vendorError);
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return outstanding == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Reports what is outstanding as flushed. */
    void flush(int queuePairNumber, Completions to) {
        lock.lock();
        try {
            for (int place = 0; place < capacity && outstanding > 0; place++) {
                if (nextFree[place] == USED) {
                    long id = ids[place];
                    release(place);
                    to.add(
                            id,
                            WorkCompletionStatus.FLUSHED,
                            WorkCompletionOperation.RECEIVE,
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

    /** Call with the lock. */
    private void release(int place) {
        nextFree[place] = firstFree;
        firstFree = place;
        outstanding--;
    }
}
