package org.verbena.rdma.provider.loopback.fault;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** The faults of all devices of a loopback network. */
@ProviderType
public interface LoopbackFaults {
    /**
     * Returns the faults of a device.
     *
     * @param name the name of the device; it need not be there
     * @return the same object for the same name
     */
    DeviceFaults device(String name);

    /**
     * Returns the rules that were broken, on all devices.
     *
     * @return a copy
     */
    List<Violation> violations();

    /** Takes all faults away and releases all holds, on all devices. */
    void clear();
}
