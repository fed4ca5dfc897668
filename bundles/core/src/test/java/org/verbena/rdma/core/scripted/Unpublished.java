package org.verbena.rdma.core.scripted;

import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.DevicePublisher;

/** Shows devices to nobody. */
public class Unpublished implements DevicePublisher {
    @Override
    public void publish(Device device) {}

    @Override
    public void update(Device device) {}

    @Override
    public void unpublish(Device device) {}
}
