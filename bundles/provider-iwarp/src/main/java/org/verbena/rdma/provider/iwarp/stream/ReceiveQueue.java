package org.verbena.rdma.provider.iwarp.stream;

import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.memory.IwarpProtectionDomain;
import org.verbena.rdma.provider.iwarp.memory.SegmentCursor;
import org.verbena.rdma.provider.iwarp.queue.CompletionRing;
import org.verbena.rdma.provider.iwarp.queue.ReceiveSource;
import org.verbena.rdma.provider.iwarp.queue.ReceiveWork;
import org.verbena.rdma.spi.CompletionSink;

/** The receives of a queue pair, and the one that a message is being put into. Loop only. */
final class ReceiveQueue {
    private final ReceiveSource source;
    private final boolean shared;
    private final ReceiveWork current;
    private final CompletionRing completions;
    private final int queuePairNumber;

    ReceiveQueue(
            ReceiveSource source, boolean shared, int maxSegments, CompletionRing completions, int queuePairNumber) {
        this.source = source;
        this.shared = shared;
        this.current = new ReceiveWork(maxSegments);
        this.completions = completions;
        this.queuePairNumber = queuePairNumber;
    }

    /** Takes the receive for a new message; {@code false} if there is none. */
    boolean take() {
        return source.take(current);
    }

    boolean isUsable(IwarpProtectionDomain domain) {
        return current.segments().isUsable(domain, true);
    }

    SegmentCursor segments() {
        return current.segments();
    }

    /** A write with immediate data is one that such data follows at once; the protocol tells no more. */
    void completeImmediate(long written, boolean afterWrite, int immediateData, boolean solicited) {
        long workRequestId = current.workRequestId();
        source.finished(current);
        completions.add(
                workRequestId,
                WorkCompletionStatus.SUCCESS,
                afterWrite ? WorkCompletionOperation.RECEIVE_WRITE_WITH_IMMEDIATE : WorkCompletionOperation.RECEIVE,
                written,
                queuePairNumber,
                CompletionSink.IMMEDIATE_DATA,
                immediateData,
                0,
                solicited);
    }

    void complete(long bytes, boolean solicited, boolean invalidated, int invalidatedStag) {
        long workRequestId = current.workRequestId();
        source.finished(current);
        completions.add(
                workRequestId,
                WorkCompletionStatus.SUCCESS,
                WorkCompletionOperation.RECEIVE,
                bytes,
                queuePairNumber,
                invalidated ? CompletionSink.INVALIDATED : 0,
                invalidatedStag,
                0,
                solicited);
    }

    /** Ends the receive that a message is being put into. */
    void fail(WorkCompletionStatus status) {
        if (current.isPresent()) {
            long workRequestId = current.workRequestId();
            source.finished(current);
            completions.add(workRequestId, status, WorkCompletionOperation.RECEIVE, 0, queuePairNumber, 0, 0, 0, false);
        }
    }

    /** Ends all receives of this queue pair; those of a shared queue that were not taken stay there for others. */
    void flush() {
        fail(WorkCompletionStatus.FLUSHED);
        while (!shared && source.take(current)) {
            fail(WorkCompletionStatus.FLUSHED);
        }
    }
}
