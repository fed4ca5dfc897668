package org.verbena.rdma.examples.mirror;

import org.verbena.rdma.Access;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.QueuePairResources;
import org.verbena.rdma.spi.ReceiveRequest;
import org.verbena.rdma.spi.SendRequest;

/**
 * A queue pair. A send is carried out within the post, so the send queue is never full; receives wait in a ring. All fields
 * are guarded by the lock of the device.
 */
final class MirrorQueuePair implements ProviderQueuePair {
    private final MirrorDevice device;
    private final MirrorEndpoint endpoint;
    private final QueuePairResources resources;
    private final MirrorCompletionQueue sends;
    private final MirrorCompletionQueue receives;
    private final int number;
    private final long[] receiveIds;
    private final Segments[] receiveSegments;
    private final Segments here;
    private final Segments there = new Segments(1);
    private int first;
    private int posted;
    private QueuePairState state = QueuePairState.INITIALIZED;
    private MirrorQueuePair peer;

    MirrorQueuePair(
            MirrorDevice device,
            MirrorEndpoint endpoint,
            QueuePairResources resources,
            QueuePairConfiguration configuration) {
        this.device = device;
        this.endpoint = endpoint;
        this.resources = resources;
        sends = (MirrorCompletionQueue) resources.sendCompletionQueue();
        receives = (MirrorCompletionQueue) resources.receiveCompletionQueue();
        number = device.nextNumber();
        here = new Segments(configuration.maxSendSegments());
        receiveIds = new long[configuration.maxReceives()];
        receiveSegments = new Segments[configuration.maxReceives()];
        for (int i = 0; i < receiveSegments.length; i++) {
            receiveSegments[i] = new Segments(configuration.maxReceiveSegments());
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairState state() {
        synchronized (device.lock) {
            return state;
        }
    }

    /** Call with the lock. */
    void connectTo(MirrorQueuePair other) {
        peer = other;
        state = QueuePairState.READY;
    }

    // Posting

    @Override
    public void postReceive(ReceiveRequest request) throws RdmaException {
        synchronized (device.lock) {
            if (state == QueuePairState.ERROR) {
                received(request.workRequestId(), WorkCompletionStatus.FLUSHED, 0, false);
                return;
            }
            if (posted == receiveIds.length) {
                throw new RdmaException(RdmaError.NO_MEMORY, "the receive queue is full: take completions first");
            }
            int last = (first + posted++) % receiveIds.length;
            receiveIds[last] = request.workRequestId();
            receiveSegments[last].set(request);
        }
    }

    @Override
    public void postSend(SendRequest request) {
        synchronized (device.lock) {
            switch (state) {
                case INITIALIZED -> throw new IllegalStateException("the queue pair is not connected yet");
                case READY -> carryOut(request);
                default -> sent(request, WorkCompletionStatus.FLUSHED);
            }
        }
    }

    private void carryOut(SendRequest request) {
        here.set(request);
        WorkCompletionStatus status =
                switch (request.operation()) {
                    case SEND -> send(request);
                    case WRITE -> write(request);
                    case READ -> read(request);
                    default -> WorkCompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR;
                };
        sent(request, status);
        if (status != WorkCompletionStatus.SUCCESS) {
            endpoint.breakOff();
        }
    }

    private WorkCompletionStatus send(SendRequest request) {
        if (peer.posted == 0) {
            return WorkCompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED;
        }
        long id = peer.receiveIds[peer.first];
        Segments target = peer.receiveSegments[peer.first];
        peer.first = (peer.first + 1) % peer.receiveIds.length;
        peer.posted--;
        if (here.total() > target.total()) {
            peer.received(id, WorkCompletionStatus.LOCAL_LENGTH_ERROR, 0, false);
            return WorkCompletionStatus.REMOTE_INVALID_REQUEST;
        }
        if (!target.allow(Access.LOCAL_WRITE)) {
            peer.received(id, WorkCompletionStatus.LOCAL_PROTECTION_ERROR, 0, false);
            return WorkCompletionStatus.REMOTE_OPERATION_ERROR;
        }
        here.copyTo(target);
        peer.received(id, WorkCompletionStatus.SUCCESS, here.total(), request.isSolicited());
        return WorkCompletionStatus.SUCCESS;
    }

    private WorkCompletionStatus write(SendRequest request) {
        if (!findRemote(request, Access.REMOTE_WRITE)) {
            return WorkCompletionStatus.REMOTE_ACCESS_ERROR;
        }
        here.copyTo(there);
        return WorkCompletionStatus.SUCCESS;
    }

    private WorkCompletionStatus read(SendRequest request) {
        if (!here.allow(Access.LOCAL_WRITE)) {
            return WorkCompletionStatus.LOCAL_PROTECTION_ERROR;
        }
        if (!findRemote(request, Access.REMOTE_READ)) {
            return WorkCompletionStatus.REMOTE_ACCESS_ERROR;
        }
        there.copyTo(here);
        return WorkCompletionStatus.SUCCESS;
    }

    private boolean findRemote(SendRequest request, Access access) {
        MirrorRegion region = device.region(request.remoteKey());
        if (region == null
                || !region.allows(access, peer.resources.protectionDomain(), request.remoteAddress(), here.total())) {
            return false;
        }
        there.set(region, request.remoteAddress(), here.total());
        return true;
    }

    // Completions

    private void sent(SendRequest request, WorkCompletionStatus status) {
        if (!request.isSignaled() && status == WorkCompletionStatus.SUCCESS) {
            return;
        }
        WorkCompletionOperation operation =
                switch (request.operation()) {
                    case WRITE -> WorkCompletionOperation.WRITE;
                    case READ -> WorkCompletionOperation.READ;
                    default -> WorkCompletionOperation.SEND;
                };
        sends.add(request.workRequestId(), status, operation, here.total(), number, false);
    }

    private void received(long id, WorkCompletionStatus status, long bytes, boolean solicited) {
        receives.add(id, status, WorkCompletionOperation.RECEIVE, bytes, number, solicited);
    }

    // The end

    @Override
    public void fail() {
        synchronized (device.lock) {
            flush();
        }
    }

    /** Call with the lock. */
    void flush() {
        if (state == QueuePairState.CLOSED) {
            return;
        }
        state = QueuePairState.ERROR;
        for (; posted > 0; posted--) {
            received(receiveIds[first], WorkCompletionStatus.FLUSHED, 0, false);
            first = (first + 1) % receiveIds.length;
        }
    }

    @Override
    public boolean hasOutstandingWork() {
        synchronized (device.lock) {
            return posted > 0;
        }
    }

    @Override
    public void close() {
        synchronized (device.lock) {
            flush();
            state = QueuePairState.CLOSED;
            endpoint.forgetQueuePair();
        }
    }
}
