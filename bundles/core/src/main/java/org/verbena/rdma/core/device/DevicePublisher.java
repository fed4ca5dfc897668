package org.verbena.rdma.core.device;

import java.util.List;

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

    /**
     * Tells who keeps {@link #unpublish} from coming back.
     *
     * @param device the device
     * @param unpublishing the thread that is in it
     * @return the symbolic names of bundles: that in whose code the thread is, or else all that use the device still
     */
    default List<String> holders(Device device, Thread unpublishing) {
        return List.of();
    }
}
