package org.verbena.rdma.spi;

import org.osgi.annotation.versioning.ConsumerType;
import org.verbena.rdma.RdmaException;

/** A shared receive queue of a provider. */
@ConsumerType
public interface ProviderSharedReceiveQueue {
    /**
     * Posts a receive; as {@link ProviderQueuePair#postReceive}.
     *
     * @param request where to put what comes
     * @throws RdmaException with NO_MEMORY if the queue is full
     */
    void postReceive(ReceiveRequest request) throws RdmaException;

    /** Frees the queue; receives that were not used up are gone without a completion. */
    void close();
}
