package org.verbena.rdma.spi;

import java.net.InetSocketAddress;
import org.osgi.annotation.versioning.ConsumerType;

/** Takes requests at one address of a device. */
@ConsumerType
public interface ProviderListener {
    /**
     * Returns where it listens.
     *
     * @return address and port
     */
    InetSocketAddress localAddress();

    /**
     * Stops listening. Requests that are in the handshake still are refused; connections and requests that were taken
     * live on. No upcall is made any more when this has returned.
     */
    void close();
}
