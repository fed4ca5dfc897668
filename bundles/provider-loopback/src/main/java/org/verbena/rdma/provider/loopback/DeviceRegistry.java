package org.verbena.rdma.provider.loopback;

import org.verbena.rdma.spi.ProviderDevice;

/**
 * Where the devices of a network are announced: the service registry of OSGi, or what stands for it. Called without a
 * lock, and for one device one call at a time.
 */
public interface DeviceRegistry {
    /**
     * A device has come.
     *
     * @param device the device
     * @param ranking which of several devices that have one address serves it: the highest
     */
    void register(ProviderDevice device, int ranking);

    /**
     * A device goes. Returns when whoever uses the device has closed it.
     *
     * @param device the device
     */
    void unregister(ProviderDevice device);
}
