package org.verbena.rdma.provider.disni.connection;

/** What a device has to tell of itself. Called on its event thread. */
public interface DeviceEvents {
    /** The device is going, or has failed for good. */
    void deviceGoing();

    /** The state of a port has changed. */
    void portChanged();

    /** The addresses of a port have changed. */
    void addressesChanged();
}
