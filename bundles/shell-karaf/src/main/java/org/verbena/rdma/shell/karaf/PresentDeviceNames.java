package org.verbena.rdma.shell.karaf;

import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;

/** The names of the devices that serve. */
@Service
public final class PresentDeviceNames extends Candidates {
    /** Made by Karaf. */
    public PresentDeviceNames() {
        super(snapshot -> snapshot.devices().stream()
                .filter(device -> device.condition() == Condition.PRESENT)
                .map(DeviceSnapshot::name));
    }
}
