package org.verbena.rdma.provider.disni.verbs;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.provider.disni.natives.Outcome;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;
import org.verbena.rdma.spi.ReceiveRequest;

/** A shared receive queue. */
public final class DisniSharedReceiveQueue implements ProviderSharedReceiveQueue {
    private static final Logger LOG = LoggerFactory.getLogger(DisniSharedReceiveQueue.class);

    private final VerbsResources resources;
    private final long handle;
    private final ReceiveQueue receives;
    private final int key;

    private DisniSharedReceiveQueue(VerbsResources resources, long handle, ReceiveQueue receives, int key) {
        this.resources = resources;
        this.handle = handle;
        this.receives = receives;
        this.key = key;
    }

    static DisniSharedReceiveQueue create(VerbsResources resources, long domain, int maxReceives, int maxSegments)
            throws RdmaException {
        VerbsNatives natives = resources.natives();
        long handle = Outcome.check(
                natives.createSharedReceiveQueue(domain, maxReceives, maxSegments),
                "making a shared receive queue of " + maxReceives + " receives");
        ReceiveQueue receives = new ReceiveQueue(
                natives,
                maxReceives,
                maxSegments,
                (id, segments, count) -> natives.postSharedReceive(handle, id, segments, count));
        try {
            return new DisniSharedReceiveQueue(
                    resources, handle, receives, resources.workQueues().add(receives));
        } catch (RdmaException full) {
            natives.destroySharedReceiveQueue(handle);
            throw full;
        }
    }

    long handle() {
        return handle;
    }

    @Override
    public void postReceive(ReceiveRequest request) throws RdmaException {
        Outcome.check(receives.post(key, request), "posting a receive");
    }

    @Override
    public void close() {
        int result = resources.natives().destroySharedReceiveQueue(handle);
        resources.workQueues().remove(key);
        if (result != 0) {
            LOG.warn(
                    "a shared receive queue could not be destroyed: {}",
                    Outcome.error(result).sentence());
        }
    }
}
