package org.verbena.rdma.provider.loopback.inspection;

import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;
import org.verbena.rdma.spi.ReceiveRequest;

/** A shared receive queue under inspection. */
final class InspectedSharedReceiveQueue implements ProviderSharedReceiveQueue {
    private final ProviderSharedReceiveQueue queue;
    private final InspectedObject object;

    InspectedSharedReceiveQueue(ProviderSharedReceiveQueue queue, InspectedObject object) {
        this.queue = queue;
        this.object = object;
    }

    @Override
    public void postReceive(ReceiveRequest request) throws RdmaException {
        object.enter(ProviderCall.POST_SHARED_RECEIVE);
        try {
            PostedRequest.check(request, object, ProviderCall.POST_SHARED_RECEIVE);
            queue.postReceive(request);
        } finally {
            object.leave();
        }
    }

    @Override
    public void close() {
        object.close(ProviderCall.CLOSE_SHARED_RECEIVE_QUEUE, queue::close);
    }

    ProviderSharedReceiveQueue queue() {
        return queue;
    }

    InspectedObject object() {
        return object;
    }
}
