package org.verbena.rdma.provider.loopback.verbs;

import java.nio.ByteBuffer;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.spi.SendRequest;

/** A place for a request on a send queue, used again and again. Guarded by its queue. */
final class SendEntry extends WorkRequest {
    private final ByteBuffer inlineData;
    private SendOperation operation;
    private long remoteAddress;
    private int remoteKey;
    private int immediateData;
    private long compareOrAdd;
    private long swap;
    private boolean signaled;
    private boolean solicited;
    private boolean inline;

    SendEntry(int maxSegments, int maxInlineData) {
        super(maxSegments);
        inlineData = ByteBuffer.allocateDirect(maxInlineData);
    }

    /** Takes all but the bytes of an inline request. */
    void take(SendRequest request) {
        super.take(request);
        operation = request.operation();
        remoteAddress = request.remoteAddress();
        remoteKey = request.remoteKey();
        immediateData = request.immediateData();
        compareOrAdd = request.compareOrAdd();
        swap = request.swap();
        signaled = request.isSignaled();
        solicited = request.isSolicited();
        inline = request.isInline() && !readsRemotely();
    }

    void notInline() {
        inline = false;
    }

    boolean readsRemotely() {
        return switch (operation) {
            case READ, COMPARE_AND_SWAP, FETCH_AND_ADD -> true;
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE, WRITE, WRITE_WITH_IMMEDIATE -> false;
        };
    }

    ByteBuffer inlineData() {
        return inlineData;
    }

    SendOperation operation() {
        return operation;
    }

    long remoteAddress() {
        return remoteAddress;
    }

    int remoteKey() {
        return remoteKey;
    }

    int immediateData() {
        return immediateData;
    }

    long compareOrAdd() {
        return compareOrAdd;
    }

    long swap() {
        return swap;
    }

    boolean isSignaled() {
        return signaled;
    }

    boolean isSolicited() {
        return solicited;
    }

    boolean isInline() {
        return inline;
    }
}
