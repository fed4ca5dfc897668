package org.verbena.rdma.core.device;

import org.verbena.rdma.monitor.RemovalSnapshot;

/** Told of devices, for monitoring. Called without locks; must not block. */
public interface DeviceObserver {
    /**
     * A device has come or changed.
     *
     * @param device the device
     */
    void deviceUp(Device device);

    /**
     * A removal has come to a step.
     *
     * @param removal the removal
     */
    void removalStep(RemovalSnapshot removal);
}
