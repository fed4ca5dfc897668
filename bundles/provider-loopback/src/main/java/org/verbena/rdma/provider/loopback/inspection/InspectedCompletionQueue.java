package org.verbena.rdma.provider.loopback.inspection;

import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.ProviderCompletionQueue;

/** A completion queue under inspection. */
final class InspectedCompletionQueue implements ProviderCompletionQueue {
    private final ProviderCompletionQueue queue;
    private final InspectedObject object;

    InspectedCompletionQueue(ProviderCompletionQueue queue, InspectedObject object) {
        this.queue = queue;
        this.object = object;
    }

    @Override
    public int entries() {
        object.enterToRead();
        try {
            return queue.entries();
        } finally {
            object.leave();
        }
    }

    @Override
    public int poll(CompletionSink sink, int max) throws RdmaException {
        object.enter(ProviderCall.POLL);
        try {
            return queue.poll(sink, max);
        } finally {
            object.leave();
        }
    }

    @Override
    public void requestNotification(boolean solicitedOnly) throws RdmaException {
        object.enter(ProviderCall.REQUEST_NOTIFICATION);
        try {
            queue.requestNotification(solicitedOnly);
        } finally {
            object.leave();
        }
    }

    @Override
    public void close() {
        object.close(ProviderCall.CLOSE_COMPLETION_QUEUE, queue::close);
    }

    ProviderCompletionQueue queue() {
        return queue;
    }

    InspectedObject object() {
        return object;
    }
}
