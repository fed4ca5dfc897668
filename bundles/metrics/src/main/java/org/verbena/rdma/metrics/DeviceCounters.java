package org.verbena.rdma.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.PrometheusNaming;
import java.util.List;
import java.util.Map;
import org.verbena.rdma.monitor.DeviceSnapshot;

/** Turns the names of a provider's counters into metrics: what varies within the standard ones becomes labels. */
final class DeviceCounters {
    private static final List<String> OPERATIONS = List.of("send", "write", "read", "atomic");

    private DeviceCounters() {}

    static void of(DeviceSnapshot device, MetricFamilies families) {
        for (Map.Entry<String, Long> counter : device.counters().entrySet()) {
            count(device.name(), counter.getKey(), counter.getValue(), families);
        }
    }

    private static void count(String device, String name, long value, MetricFamilies families) {
        String[] parts = name.split("\\.");
        if (parts.length == 3 && parts[0].equals("messages") && OPERATIONS.contains(parts[1])) {
            families.counter("verbena_device_messages", "Operations carried out", operation(device, parts), value);
        } else if (parts.length == 3 && parts[0].equals("bytes") && OPERATIONS.contains(parts[1])) {
            families.counter("verbena_device_bytes", "Payload moved by operations", operation(device, parts), value);
        } else if (parts.length == 5 && parts[0].equals("terminates")) {
            families.counter(
                    "verbena_device_terminates",
                    "Terminate messages, by layer, error type and error code",
                    Labels.of(
                            "device",
                            device,
                            "direction",
                            parts[1],
                            "layer",
                            parts[2],
                            "type",
                            parts[3],
                            "code",
                            parts[4]),
                    value);
        } else {
            families.counter(
                    // Without an end that Prometheus has a meaning for, as _total.
                    PrometheusNaming.sanitizeMetricName("verbena_device_" + name.replace('.', '_')),
                    "The provider's counter " + name,
                    Labels.of("device", device),
                    value);
        }
    }

    private static Labels operation(String device, String[] parts) {
        return Labels.of("device", device, "operation", parts[1], "direction", parts[2]);
    }
}
