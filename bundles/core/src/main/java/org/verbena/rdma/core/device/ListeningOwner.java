package org.verbena.rdma.core.device;

import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointUpcalls;

/** Whose {@link ListeningPoint} it is, and who hears what happens there. Nothing here blocks or throws. */
public interface ListeningOwner {
    /**
     * Takes a request or refuses it.
     *
     * @param device the device that it came through
     * @param endpoint the new endpoint
     * @param parameters what the peer tells
     * @return where to tell what happens to the endpoint, or {@code null} if it is refused
     */
    EndpointUpcalls take(Device device, Endpoint endpoint, ConnectionParameters parameters);

    /** The network behind the point's address has changed to other hardware. */
    void addressChanged();
}
