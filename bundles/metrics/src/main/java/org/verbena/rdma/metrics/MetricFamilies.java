package org.verbena.rdma.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;

/** Gathers values by metric. Used by one thread. */
final class MetricFamilies {
    private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
    private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();

    void gauge(String name, String help, Labels labels, double value) {
        gauges.computeIfAbsent(
                        name, unknown -> GaugeSnapshot.builder().name(name).help(help))
                .dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                        .labels(labels)
                        .value(value)
                        .build());
    }

    void counter(String name, String help, Labels labels, double value) {
        counters.computeIfAbsent(
                        name, unknown -> CounterSnapshot.builder().name(name).help(help))
                .dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                        .labels(labels)
                        .value(value)
                        .build());
    }

    MetricSnapshots snapshots() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        gauges.values().forEach(gauge -> all.metricSnapshot(gauge.build()));
        counters.values().forEach(counter -> all.metricSnapshot(counter.build()));
        return all.build();
    }
}
