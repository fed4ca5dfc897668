package org.verbena.rdma.monitor;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Everything at one time.
 *
 * @param taken when
 * @param devices the devices, also those that are taken out or going, by name; of several with one name, of which at most
 *     one is present, that one first
 * @param ids the ids that are neither listeners nor connections
 * @param listeners the ids that listen
 * @param connections the ids that are connected or were
 * @param consumers the bundles that have sessions
 * @param removals the removals that are running
 */
public record Snapshot(
        Instant taken,
        List<DeviceSnapshot> devices,
        List<IdSnapshot> ids,
        List<ListenerSnapshot> listeners,
        List<ConnectionSnapshot> connections,
        List<ConsumerSnapshot> consumers,
        List<RemovalSnapshot> removals) {
    /**
     * Copies the lists.
     *
     * @param taken when
     * @param devices the devices, also those that are taken out or going, by name; of several with one name, of which at
     *     most one is present, that one first
     * @param ids the ids that are neither listeners nor connections
     * @param listeners the ids that listen
     * @param connections the ids that are connected or were
     * @param consumers the bundles that have sessions
     * @param removals the removals that are running
     */
    public Snapshot {
        Objects.requireNonNull(taken, "taken");
        devices = List.copyOf(devices);
        ids = List.copyOf(ids);
        listeners = List.copyOf(listeners);
        connections = List.copyOf(connections);
        consumers = List.copyOf(consumers);
        removals = List.copyOf(removals);
    }
}
