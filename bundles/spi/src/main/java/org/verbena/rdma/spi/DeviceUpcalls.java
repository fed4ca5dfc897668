package org.verbena.rdma.spi;

import org.osgi.annotation.versioning.ProviderType;

/** What a provider tells core of a device while it is open. */
@ProviderType
public interface DeviceUpcalls {
    /** The addresses have changed. */
    void addressesChanged();

    /** The state of the link has changed. */
    void linkChanged();

    /**
     * The device is gone below the provider: calls on it fail fast from now on. The provider unregisters it soon
     * afterwards, on a thread of its own.
     */
    void gone();
}
