package org.verbena.rdma.shell.karaf;

import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;

/** The names of the devices that can be put back. */
@Service
public final class AbsentDeviceNames extends Candidates {
    /** Made by Karaf. */
    public AbsentDeviceNames() {
        super(snapshot -> snapshot.devices().stream()
                .filter(device -> device.condition() == Condition.UNPLUGGED || device.condition() == Condition.FAILED)
                .map(DeviceSnapshot::name));
    }
}
