package org.verbena.rdma.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.Snapshot;

/** What the monitor knows, as metrics: by device and by consumer, never by connection, of which there are too many. */
final class MonitorMetrics implements MultiCollector {
    private final Monitor monitor;

    MonitorMetrics(Monitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public MetricSnapshots collect() {
        Snapshot snapshot = monitor.snapshot();
        MetricFamilies families = new MetricFamilies();
        for (DeviceSnapshot device : snapshot.devices()) {
            device(device, families);
            DeviceCounters.of(device, families);
        }
        snapshot.consumers().forEach(consumer -> consumer(consumer, families));
        snapshot.removals().forEach(removal -> removal(removal, families));
        families.gauge(
                "verbena_listeners",
                "Ids that listen",
                Labels.EMPTY,
                snapshot.listeners().size());
        for (DeviceSnapshot device : snapshot.devices()) {
            families.gauge(
                    "verbena_connections",
                    "Ids that are connected",
                    Labels.of("device", device.name()),
                    connections(snapshot, device.name()));
        }
        return families.snapshots();
    }

    private static long connections(Snapshot snapshot, String device) {
        return snapshot.connections().stream()
                .map(ConnectionSnapshot::id)
                .filter(id -> id.device().equals(device) && id.state().equals("CONNECT"))
                .count();
    }

    private static void device(DeviceSnapshot device, MetricFamilies families) {
        Labels labels =
                Labels.of("device", device.name(), "provider", device.provider(), "transport", device.transport());
        families.gauge(
                "verbena_device_up",
                "Whether the device serves: 1, or 0 when it is out, going, failed or given up",
                labels,
                device.condition() == Condition.PRESENT ? 1 : 0);
        Labels name = Labels.of("device", device.name());
        families.gauge(
                "verbena_device_link_up",
                "Whether it has a link",
                name,
                device.link().equals("up") ? 1 : 0);
        families.gauge("verbena_device_ids", "Ids bound to the device", name, device.ids());
        for (Map.Entry<String, Integer> kind : device.verbsObjects().entrySet()) {
            families.gauge(
                    "verbena_device_objects",
                    "Verbs objects open on the device",
                    Labels.of("device", device.name(), "kind", kind.getKey()),
                    kind.getValue());
        }
    }

    private static void consumer(ConsumerSnapshot consumer, MetricFamilies families) {
        Labels labels = Labels.of("bundle", consumer.bundle(), "bundle_id", String.valueOf(consumer.bundleId()));
        families.gauge("verbena_consumer_ids", "Ids of a bundle", labels, consumer.ids());
        families.gauge("verbena_consumer_objects", "Verbs objects of a bundle", labels, consumer.verbsObjects());
        families.gauge(
                "verbena_consumer_blocked_threads",
                "Threads that its callbacks block",
                labels,
                consumer.blockedThreads().size());
        families.gauge(
                "verbena_consumer_waiting_callbacks",
                "Its callbacks that wait for a thread",
                labels,
                consumer.waitingCallbacks());
        families.counter(
                "verbena_consumer_forced",
                "How often a removal has had to take something from it by force",
                labels,
                consumer.forced());
    }

    private static void removal(RemovalSnapshot removal, MetricFamilies families) {
        families.gauge(
                "verbena_removal_seconds",
                "For how long the removal of a device runs",
                Labels.of("device", removal.device(), "step", removal.step().name()),
                removal.elapsedMillis() / 1000.0);
        for (String holder : removal.waitingFor()) {
            families.gauge(
                    "verbena_removal_held_up",
                    "Who holds up the removal of a device",
                    Labels.of("device", removal.device(), "holder", holder),
                    1);
        }
    }
}
