package org.verbena.rdma;

import org.osgi.annotation.versioning.ProviderType;

/** Receives that several queue pairs of a domain take from. */
@ProviderType
public interface SharedReceiveQueue extends VerbsObject {
    /**
     * Returns the domain that the queue is in.
     *
     * @return the domain
     */
    ProtectionDomain protectionDomain();

    /**
     * Posts a receive.
     *
     * @param request where to put what comes; it may be changed as soon as this returns
     * @throws IllegalArgumentException if the request was made by another domain or has more segments than the queue
     *     takes
     * @throws DeviceRemovedException if the device is gone
     * @throws RdmaException with {@link RdmaError#NO_MEMORY} if the queue is full, {@link RdmaError#BAD_ADDRESS} if a
     *     region is closed
     */
    void postReceive(ReceiveWorkRequest request) throws RdmaException;
}
