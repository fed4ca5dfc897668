package org.verbena.rdma.core.device;

/** Shows devices to consumers. Called without locks. */
public interface DevicePublisher {
    /**
     * Shows a device. Consumers may be activated on this thread, and may do anything.
     *
     * @param device the device
     */
    void publish(Device device);

    /**
     * Shows that addresses, shadowed addresses or link may have changed. May come on several threads at a time, and at any
     * time; what is shown in the end is not older than the last call.
     *
     * @param device the device
     */
    void update(Device device);

    /**
     * Hides a device. Consumers may be deactivated on this thread, and may do anything. May come while
     * {@link #publish} is still running, also on its stack; the device is then hidden as soon as it has been shown.
     *
     * @param device the device
     */
    void unpublish(Device device);
}
