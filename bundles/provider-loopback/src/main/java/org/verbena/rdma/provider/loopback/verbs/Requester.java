package org.verbena.rdma.provider.loopback.verbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.WorkCompletionStatus;

/**
 * Carries out the requests of one send queue against the peer. Used by one thread at a time: the one that carries out
 * the queue.
 */
final class Requester {
    /** Atomics work on numbers of the machine, as those of hardware do. */
    private static final VarHandle WORDS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final LoopbackQueuePair queuePair;
    private final LoopbackProtectionDomain domain;
    private final long maxMessageSize;
    private final SegmentList local;
    private final SegmentList remote = new SegmentList(1);
    private final ByteBuffer word = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());

    Requester(LoopbackQueuePair queuePair, LoopbackProtectionDomain domain, int maxSegments, long maxMessageSize) {
        this.queuePair = queuePair;
        this.domain = domain;
        this.maxMessageSize = maxMessageSize;
        // At least one, for inline data.
        this.local = new SegmentList(Math.max(1, maxSegments));
    }

    /** Copies the bytes of an inline request; {@code false} if they may not be read. */
    static boolean gather(SendEntry send, LoopbackProtectionDomain domain, SegmentList from, SegmentList to) {
        if (!from.enter(send, domain, false)) {
            return false;
        }
        to.add(send.inlineData(), 0, send.inlineData().capacity());
        from.copyTo(to, send.totalLength());
        from.leave();
        to.leave();
        return true;
    }

    /** Carries out one request. Returns how it ended, or {@code null} if the peer has no receive for it. */
    WorkCompletionStatus carryOut(SendEntry send, Responder peer, boolean mayRead) {
        if (send.totalLength() > maxMessageSize) {
            return WorkCompletionStatus.LOCAL_LENGTH_ERROR;
        }
        if (!enterLocal(send)) {
            return WorkCompletionStatus.LOCAL_PROTECTION_ERROR;
        }
        try {
            return switch (send.operation()) {
                case SEND, SEND_WITH_IMMEDIATE -> send(send, peer);
                case SEND_WITH_INVALIDATE -> sendWithInvalidate(send, peer);
                case WRITE, WRITE_WITH_IMMEDIATE -> write(send, peer);
                case READ -> mayRead ? read(send, peer) : WorkCompletionStatus.REMOTE_INVALID_REQUEST;
                case COMPARE_AND_SWAP, FETCH_AND_ADD ->
                    mayRead ? atomic(send, peer) : WorkCompletionStatus.REMOTE_INVALID_REQUEST;
            };
        } finally {
            local.leave();
            remote.leave();
        }
    }

    private boolean enterLocal(SendEntry send) {
        if (send.isInline()) {
            local.add(send.inlineData(), 0, (int) send.totalLength());
            return true;
        }
        return local.enter(send, domain, send.readsRemotely());
    }

    private WorkCompletionStatus send(SendEntry send, Responder peer) {
        if (!peer.takeReceive(queuePair)) {
            return null;
        }
        WorkCompletionStatus status = peer.fill(local, send.totalLength());
        if (status == WorkCompletionStatus.SUCCESS) {
            peer.complete(send, send.totalLength());
        }
        return status;
    }

    private WorkCompletionStatus sendWithInvalidate(SendEntry send, Responder peer) {
        LoopbackMemoryRegion region = peer.regionToInvalidate(send.remoteKey());
        if (region == null) {
            return WorkCompletionStatus.REMOTE_ACCESS_ERROR;
        }
        if (!peer.takeReceive(queuePair)) {
            return null;
        }
        WorkCompletionStatus status = peer.fill(local, send.totalLength());
        if (status == WorkCompletionStatus.SUCCESS) {
            region.invalidate();
            peer.complete(send, send.totalLength());
        }
        return status;
    }

    private WorkCompletionStatus write(SendEntry send, Responder peer) {
        long length = send.totalLength();
        if (!peer.enter(remote, send.remoteKey(), send.remoteAddress(), length, RemoteAccess.WRITE)) {
            return WorkCompletionStatus.REMOTE_ACCESS_ERROR;
        }
        boolean tells = send.operation() == SendOperation.WRITE_WITH_IMMEDIATE;
        if (tells && !peer.takeReceive(queuePair)) {
            return null;
        }
        local.copyTo(remote, length);
        if (tells) {
            peer.complete(send, length);
        }
        return WorkCompletionStatus.SUCCESS;
    }

    private WorkCompletionStatus read(SendEntry send, Responder peer) {
        long length = send.totalLength();
        if (!peer.enter(remote, send.remoteKey(), send.remoteAddress(), length, RemoteAccess.READ)) {
            return WorkCompletionStatus.REMOTE_ACCESS_ERROR;
        }
        remote.copyTo(local, length);
        return WorkCompletionStatus.SUCCESS;
    }

    private WorkCompletionStatus atomic(SendEntry send, Responder peer) {
        if (send.totalLength() != Long.BYTES) {
            return WorkCompletionStatus.LOCAL_LENGTH_ERROR;
        }
        if (send.remoteAddress() % Long.BYTES != 0) {
            return WorkCompletionStatus.REMOTE_INVALID_REQUEST;
        }
        if (!peer.enter(remote, send.remoteKey(), send.remoteAddress(), Long.BYTES, RemoteAccess.ATOMIC)) {
            return WorkCompletionStatus.REMOTE_ACCESS_ERROR;
        }
        ByteBuffer buffer = remote.buffer(0);
        int offset = remote.offset(0);
        long before = send.operation() == SendOperation.FETCH_AND_ADD
                ? (long) WORDS.getAndAdd(buffer, offset, send.compareOrAdd())
                : (long) WORDS.compareAndExchange(buffer, offset, send.compareOrAdd(), send.swap());
        remote.leave();
        word.putLong(0, before);
        remote.add(word, 0, Long.BYTES);
        remote.copyTo(local, Long.BYTES);
        return WorkCompletionStatus.SUCCESS;
    }
}
