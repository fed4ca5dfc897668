package org.verbena.rdma.provider.iwarp.stream;

import java.util.Arrays;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.queue.CompletionRing;
import org.verbena.rdma.provider.iwarp.queue.SendRing;

/**
 * How far each request of a send queue has come, and its completions in the order of posting (RFC 5040, section 5.5).
 * Sends and writes are done when all of their frames are with TCP, reads and atomics when they are answered. Loop only.
 */
final class SendQueue {
    private static final byte POSTED = 0;
    private static final byte COMPOSED = 1;
    private static final byte WRITTEN = 2;
    private static final byte DONE = 3;

    private final SendRing ring;
    private final CompletionRing completions;
    private final StreamCounters counters;
    private final int queuePairNumber;
    private final int mask;
    private final byte[] phases;
    private final long[] ends;
    private long next;
    private long unwritten;
    private long blamed = -1;
    private WorkCompletionStatus blame;
    private int blameDetail;

    SendQueue(SendRing ring, CompletionRing completions, StreamCounters counters, int queuePairNumber) {
        this.ring = ring;
        this.completions = completions;
        this.counters = counters;
        this.queuePairNumber = queuePairNumber;
        this.mask = ring.capacity() - 1;
        this.phases = new byte[ring.capacity()];
        this.ends = new long[ring.capacity()];
    }

    SendRing ring() {
        return ring;
    }

    /** The position of the next request to start. */
    long next() {
        return next;
    }

    /** The next request has been started. */
    void started() {
        next++;
    }

    /** The last frame of a request is composed, and ends at this byte of the stream. */
    void composed(long position, long end) {
        int at = (int) position & mask;
        phases[at] = COMPOSED;
        ends[at] = end;
    }

    /** The stream is with TCP up to this byte. */
    void written(long end) {
        while (unwritten < next) {
            int at = (int) unwritten & mask;
            if (phases[at] == POSTED || phases[at] == COMPOSED && ends[at] > end) {
                break;
            }
            if (phases[at] == COMPOSED) {
                phases[at] = isAnswered(ring.operation(unwritten)) ? WRITTEN : DONE;
            }
            unwritten++;
        }
        retire();
    }

    /** Whether the peer answers an operation, which is not done before that. */
    static boolean isAnswered(SendOperation operation) {
        return operation == SendOperation.READ || isAtomic(operation);
    }

    static boolean isAtomic(SendOperation operation) {
        return operation == SendOperation.COMPARE_AND_SWAP || operation == SendOperation.FETCH_AND_ADD;
    }

    /** A read or an atomic is answered. */
    void answered(long position) {
        phases[(int) position & mask] = DONE;
        retire();
    }

    /** Says which request is to blame for the end that follows; the first one stays. */
    void blame(long position, WorkCompletionStatus status, int detail) {
        if (blamed < 0) {
            blamed = position;
            blame = status;
            blameDetail = detail;
        }
    }

    /** The oldest request of a kind that is not done, or -1. */
    long oldest(SendOperation operation) {
        for (long position = ring.oldest(); position < next; position++) {
            if (ring.operation(position) == operation && phases[(int) position & mask] != DONE) {
                return position;
            }
        }
        return -1;
    }

    /** The oldest write to an STag that is not done, or -1. */
    long oldestWrite(int stag) {
        for (long position = ring.oldest(); position < next; position++) {
            SendOperation operation = ring.operation(position);
            boolean writes = operation == SendOperation.WRITE || operation == SendOperation.WRITE_WITH_IMMEDIATE;
            if (writes && ring.remoteKey(position) == stag && phases[(int) position & mask] != DONE) {
                return position;
            }
        }
        return -1;
    }

    /** Ends all requests that are there, in their order. */
    void flush() {
        while (ring.isPublished(ring.oldest())) {
            long position = ring.oldest();
            if (phases[(int) position & mask] == DONE) {
                retireOldest(WorkCompletionStatus.SUCCESS, 0);
            } else if (position == blamed) {
                retireOldest(blame, blameDetail);
            } else {
                retireOldest(WorkCompletionStatus.FLUSHED, 0);
            }
        }
        next = ring.oldest();
        unwritten = next;
        Arrays.fill(phases, POSTED);
    }

    private void retire() {
        while (ring.oldest() < next && phases[(int) ring.oldest() & mask] == DONE) {
            retireOldest(WorkCompletionStatus.SUCCESS, 0);
        }
    }

    private void retireOldest(WorkCompletionStatus status, int detail) {
        long position = ring.oldest();
        long workRequestId = ring.workRequestId(position);
        SendOperation operation = ring.operation(position);
        boolean told = ring.isSignaled(position) || status != WorkCompletionStatus.SUCCESS;
        long length = ring.totalLength(position);
        long bytes = isAnswered(operation) ? length : 0;
        if (status == WorkCompletionStatus.SUCCESS) {
            counters.sent(operation, length);
        }
        phases[(int) position & mask] = POSTED;
        ring.retireOldest();
        if (told) {
            completions.add(
                    workRequestId, status, completionOf(operation), bytes, queuePairNumber, 0, 0, detail, false);
        }
    }

    private static WorkCompletionOperation completionOf(SendOperation operation) {
        return switch (operation) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE -> WorkCompletionOperation.SEND;
            case WRITE, WRITE_WITH_IMMEDIATE -> WorkCompletionOperation.WRITE;
            case READ -> WorkCompletionOperation.READ;
            case COMPARE_AND_SWAP -> WorkCompletionOperation.COMPARE_AND_SWAP;
            case FETCH_AND_ADD -> WorkCompletionOperation.FETCH_AND_ADD;
        };
    }
}
