package org.verbena.rdma.shell.karaf;

import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.monitor.DeviceSnapshot;

/** The names of all devices. */
@Service
public final class DeviceNames extends Candidates {
    /** Made by Karaf. */
    public DeviceNames() {
        super(snapshot -> snapshot.devices().stream().map(DeviceSnapshot::name));
    }
}
