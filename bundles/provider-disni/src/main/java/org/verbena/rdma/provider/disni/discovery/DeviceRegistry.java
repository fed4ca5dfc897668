package org.verbena.rdma.provider.disni.discovery;

import org.verbena.rdma.spi.ProviderDevice;

/** Where devices are announced: the service registry of OSGi, or what stands for it. Called without a lock. */
public interface DeviceRegistry {
    /**
     * A device has come.
     *
     * @param device the device
     */
    void register(ProviderDevice device);

    /**
     * A device goes. Returns when whoever uses the device has closed it. Called once for each that was registered.
     *
     * @param device the device
     */
    void unregister(ProviderDevice device);
}
