package org.verbena.rdma.core.device;

import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointUpcalls;

/** Takes the requests of a {@link ListeningPoint}. */
@FunctionalInterface
public interface RequestTaker {
    /**
     * Takes a request or refuses it. Never blocks, never throws.
     *
     * @param device the device that it came through
     * @param endpoint the new endpoint
     * @param parameters what the peer tells
     * @return where to tell what happens to the endpoint, or {@code null} if it is refused
     */
    EndpointUpcalls take(Device device, Endpoint endpoint, ConnectionParameters parameters);
}
