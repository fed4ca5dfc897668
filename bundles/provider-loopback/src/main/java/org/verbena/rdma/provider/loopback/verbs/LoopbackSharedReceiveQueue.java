package org.verbena.rdma.provider.loopback.verbs;

import org.verbena.rdma.RdmaException;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;
import org.verbena.rdma.spi.ReceiveRequest;

/** A shared receive queue. */
public final class LoopbackSharedReceiveQueue implements ProviderSharedReceiveQueue {
    private final ReceiveQueue receives;

    LoopbackSharedReceiveQueue(ReceiveQueue receives) {
        this.receives = receives;
    }

    @Override
    public void postReceive(ReceiveRequest request) throws RdmaException {
        receives.post(request);
    }

    @Override
    public void close() {
        receives.clear();
    }

    ReceiveQueue receives() {
        return receives;
    }
}
