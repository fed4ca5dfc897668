package org.verbena.rdma.spi;

import org.osgi.annotation.versioning.ConsumerType;

/** Registered memory of a provider. */
@ConsumerType
public interface ProviderMemoryRegion {
    /**
     * Returns the address by which a peer reaches the first byte.
     *
     * @return an unsigned 64-bit number
     */
    long remoteAddress();

    /**
     * Returns the key for remote access.
     *
     * @return an unsigned 32-bit number
     */
    int remoteKey();

    /**
     * Frees the region. When this has returned neither the peer nor the provider touches the buffer, whatever was
     * outstanding; such work fails.
     */
    void close();
}
