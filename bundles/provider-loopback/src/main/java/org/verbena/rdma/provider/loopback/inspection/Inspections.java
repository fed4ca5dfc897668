package org.verbena.rdma.provider.loopback.inspection;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.verbena.rdma.provider.loopback.fault.DeviceFaults;
import org.verbena.rdma.provider.loopback.fault.LoopbackFaults;
import org.verbena.rdma.provider.loopback.fault.Violation;

/** The inspections of a network by the names of its devices. The map is safe by itself. */
public final class Inspections implements LoopbackFaults {
    private final Map<String, Inspection> byName = new ConcurrentHashMap<>();

    /** Makes it, for a network without devices. */
    public Inspections() {
        // nothing to do
    }

    /**
     * Returns the inspection of a device.
     *
     * @param name the name of the device
     * @return the same object for the same name
     */
    public Inspection inspection(String name) {
        return byName.computeIfAbsent(name, Inspection::new);
    }

    @Override
    public DeviceFaults device(String name) {
        return inspection(name);
    }

    @Override
    public List<Violation> violations() {
        return byName.values().stream()
                .flatMap(inspection -> inspection.violations().stream())
                .toList();
    }

    @Override
    public void clear() {
        byName.values().forEach(Inspection::clear);
    }
}
