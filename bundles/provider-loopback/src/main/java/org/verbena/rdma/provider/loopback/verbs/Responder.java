package org.verbena.rdma.provider.loopback.verbs;

import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.spi.CompletionSink;

/**
 * The side of a queue pair that serves its peer. Used by one thread at a time: the one that carries out the peer's send
 * queue and has entered the queue pair.
 */
final class Responder {
    private final LoopbackProtectionDomain domain;
    private final ReceiveQueue receives;
    private final LoopbackCompletionQueue completionQueue;
    private final int queuePairNumber;
    private final WorkRequest receive;
    private final SegmentList sink;

    Responder(
            LoopbackProtectionDomain domain,
            ReceiveQueue receives,
            LoopbackCompletionQueue completionQueue,
            int queuePairNumber) {
        this.domain = domain;
        this.receives = receives;
        this.completionQueue = completionQueue;
        this.queuePairNumber = queuePairNumber;
        this.receive = new WorkRequest(receives.maxSegments());
        this.sink = new SegmentList(receives.maxSegments());
    }

    /** Takes the receive that {@link #fill} or {@link #complete} uses up; {@code false} if there is none. */
    boolean takeReceive(LoopbackQueuePair sender) {
        return receives.take(receive, sender);
    }

    /** Fills the receive. Returns what the sender is told; the receive is reported if that is an error. */
    WorkCompletionStatus fill(SegmentList source, long length) {
        if (length > receive.totalLength()) {
            report(WorkCompletionStatus.LOCAL_LENGTH_ERROR, WorkCompletionOperation.RECEIVE, 0, 0, 0, true);
            return WorkCompletionStatus.REMOTE_INVALID_REQUEST;
        }
        if (!sink.enter(receive, domain, true)) {
            report(WorkCompletionStatus.LOCAL_PROTECTION_ERROR, WorkCompletionOperation.RECEIVE, 0, 0, 0, true);
            return WorkCompletionStatus.REMOTE_OPERATION_ERROR;
        }
        try {
            source.copyTo(sink, length);
        } finally {
            sink.leave();
        }
        return WorkCompletionStatus.SUCCESS;
    }

    /** Reports the receive as done. */
    void complete(SendEntry send, long length) {
        switch (send.operation()) {
            case SEND_WITH_IMMEDIATE ->
                done(
                        WorkCompletionOperation.RECEIVE,
                        length,
                        CompletionSink.IMMEDIATE_DATA,
                        send.immediateData(),
                        send);
            case WRITE_WITH_IMMEDIATE ->
                done(
                        WorkCompletionOperation.RECEIVE_WRITE_WITH_IMMEDIATE,
                        length,
                        CompletionSink.IMMEDIATE_DATA,
                        send.immediateData(),
                        send);
            case SEND_WITH_INVALIDATE ->
                done(WorkCompletionOperation.RECEIVE, length, CompletionSink.INVALIDATED, send.remoteKey(), send);
            default -> done(WorkCompletionOperation.RECEIVE, length, 0, 0, send);
        }
    }

    /** Returns the region that a key names and that may be invalidated, or {@code null}. */
    LoopbackMemoryRegion regionToInvalidate(int key) {
        LoopbackMemoryRegion region = domain.regions().find(key);
        return region != null && region.domain() == domain && !region.isInvalidated() ? region : null;
    }

    /** Enters a part of the memory that a peer may use so; {@code false} if it may not. */
    boolean enter(SegmentList list, int key, long address, long length, RemoteAccess access) {
        if (length == 0) {
            // As on InfiniBand, where a message without data has its key not checked (9.7.4.1.1).
            return true;
        }
        LoopbackMemoryRegion region = domain.regions().find(key);
        if (region == null || region.domain() != domain || !region.allows(access)) {
            return false;
        }
        int offset = region.offsetOf(address, length);
        return offset >= 0 && list.enter(region, offset, (int) length);
    }

    private void done(WorkCompletionOperation operation, long length, int flags, int keyOrImmediate, SendEntry send) {
        report(WorkCompletionStatus.SUCCESS, operation, length, flags, keyOrImmediate, send.isSolicited());
    }

    private void report(
            WorkCompletionStatus status,
            WorkCompletionOperation operation,
            long length,
            int flags,
            int keyOrImmediate,
            boolean solicited) {
        completionQueue.put(receive.id(), status, operation, length, queuePairNumber, flags, keyOrImmediate, solicited);
        receive.forget();
    }
}
