package org.verbena.rdma.spi;

import org.osgi.annotation.versioning.ProviderType;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.ConnectionParameters;

/** What a provider tells core of a listener. */
@ProviderType
public interface ListenerUpcalls {
    /**
     * A peer asks for a connection. If it is taken, core may call the endpoint on another thread before this returns;
     * what the endpoint then has to tell waits until the provider knows where to tell it.
     *
     * @param endpoint the new endpoint; it belongs to core if the request is taken
     * @param parameters what the peer tells, seen from here: what it starts is what this side serves
     * @return where to tell what happens to the endpoint from now on, or {@code null} if the request is not taken: the
     *     provider then refuses the peer and frees the endpoint
     */
    EndpointUpcalls request(Endpoint endpoint, ConnectionParameters parameters);

    /**
     * The network behind the address that it listens at has changed to other hardware, such as when a bond fails over. To
     * be told of each listener by itself, whatever its connections are told; whether the consumer hears of it is core's to
     * say ({@link CmEventType#ADDR_CHANGE}). Never blocks.
     */
    void addressChanged();
}
