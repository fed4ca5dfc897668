package org.verbena.rdma.console;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.Snapshot;

/** Snapshots for tests. */
public final class Snapshots {
    private Snapshots() {}

    /** A device; its number follows from its name. */
    public static DeviceSnapshot device(String name, String... addresses) {
        return new DeviceSnapshot(
                name.hashCode(),
                name,
                "iwarp",
                "iwarp",
                "",
                List.of(addresses),
                List.of(),
                "up",
                Condition.PRESENT,
                "",
                0,
                Map.of(),
                Map.of());
    }

    public static IdSnapshot id(long number, String device, String peer) {
        return new IdSnapshot(
                number, "CONNECT", false, false, "TCP", device, "10.0.0.1:4711", peer, "org.example.consumer", 0, "");
    }

    public static ConnectionSnapshot connection(long number, String device, String peer, Map<String, Long> counters) {
        return new ConnectionSnapshot(id(number, device, peer), 7, "READY", number % 2 == 0, -1, 1_000, counters);
    }

    public static RemovalSnapshot removal(String device, RemovalSnapshot.Step step) {
        return new RemovalSnapshot(device.hashCode(), device, "unplugged", step, 12, 3, 1, List.of(), List.of());
    }

    public static Snapshot snapshot(List<DeviceSnapshot> devices, List<ConnectionSnapshot> connections) {
        return new Snapshot(Instant.EPOCH, devices, List.of(), List.of(), connections, List.of(), List.of());
    }
}
