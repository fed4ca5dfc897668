package org.verbena.rdma.provider.loopback.verbs;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.spi.ReceiveRequest;

/**
 * Posted receives, of one queue pair or shared by many, and the senders that wait for one.
 *
 * <p>{@code lock} guards everything. It is held while completions of flushed receives are put, to keep their order; a
 * sender is resumed without it.
 */
class ReceiveQueue {
    private final int maxSegments;
    private final ReentrantLock lock = new ReentrantLock();
    private final WorkRequest[] ring;
    private final Deque<LoopbackQueuePair> waiting = new ArrayDeque<>(2);
    private int oldest;
    private int count;

    ReceiveQueue(int maxReceives, int maxSegments) {
        this.maxSegments = maxSegments;
        ring = new WorkRequest[maxReceives];
        for (int index = 0; index < maxReceives; index++) {
            ring[index] = new WorkRequest(maxSegments);
        }
    }

    int maxSegments() {
        return maxSegments;
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return count == 0;
        } finally {
            lock.unlock();
        }
    }

    void post(ReceiveRequest request) throws RdmaException {
        if (request.segmentCount() > maxSegments) {
            throw new RdmaException(
                    RdmaError.INVALID_ARGUMENT,
                    "a receive has " + request.segmentCount() + " segments, the queue takes " + maxSegments);
        }
        int wake;
        lock.lock();
        try {
            if (count == ring.length) {
                throw new RdmaException(
                        RdmaError.NO_MEMORY,
                        "the receive queue holds " + ring.length + " requests: wait until one has completed");
            }
            ring[(oldest + count) % ring.length].take(request);
            count++;
            wake = waiting.size();
        } finally {
            lock.unlock();
        }
        // Those that find nothing wait again, so no more than waited at first.
        for (; wake > 0; wake--) {
            LoopbackQueuePair sender = nextToServe();
            if (sender == null) {
                return;
            }
            sender.resume();
        }
    }

    /** Takes the oldest receive; {@code false} if there is none, and then the sender is resumed when one comes. */
    boolean take(WorkRequest into, LoopbackQueuePair sender) {
        lock.lock();
        try {
            if (count == 0) {
                if (!waiting.contains(sender)) {
                    waiting.add(sender);
                }
                return false;
            }
            WorkRequest receive = ring[oldest];
            into.take(receive);
            drop(receive);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void forget(LoopbackQueuePair sender) {
        lock.lock();
        try {
            waiting.remove(sender);
        } finally {
            lock.unlock();
        }
    }

    /** Reports all receives as flushed. */
    void flush(LoopbackCompletionQueue completionQueue, int queuePairNumber) {
        lock.lock();
        try {
            while (count > 0) {
                WorkRequest receive = ring[oldest];
                completionQueue.put(
                        receive.id(),
                        WorkCompletionStatus.FLUSHED,
                        WorkCompletionOperation.RECEIVE,
                        0,
                        queuePairNumber,
                        0,
                        0,
                        false);
                drop(receive);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Forgets all receives without a completion. */
    void clear() {
        lock.lock();
        try {
            while (count > 0) {
                drop(ring[oldest]);
            }
        } finally {
            lock.unlock();
        }
    }

    private void drop(WorkRequest receive) {
        receive.forget();
        oldest = (oldest + 1) % ring.length;
        count--;
    }

    /** Returns the sender that has waited longest, if there is something for it, else {@code null}. */
    private LoopbackQueuePair nextToServe() {
        lock.lock();
        try {
            return count == 0 ? null : waiting.poll();
        } finally {
            lock.unlock();
        }
    }
}
