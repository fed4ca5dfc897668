package org.verbena.rdma.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Gathers values by metric. Used by one thread.
 *
 * <p>Prometheus takes neither two values with the same labels nor a name that is both a gauge and a counter, and answers
 * nothing at all then: the first stays, what comes later is left out.
 */
final class MetricFamilies {
    private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
    private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();

    private final Set<Series> taken = new HashSet<>();

    /** What there may be one value of. */
    private record Series(String metric, Labels labels) {}

    void gauge(String name, String help, Labels labels, double value) {
        if (counters.containsKey(name) || !taken.add(new Series(name, labels))) {
            return;
        }
        gauges.computeIfAbsent(
                        name, unknown -> GaugeSnapshot.builder().name(name).help(help))
                .dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                        .labels(labels)
                        .value(value)
                        .build());
    }

    void counter(String name, String help, Labels labels, double value) {
        if (gauges.containsKey(name) || !taken.add(new Series(name, labels))) {
            return;
        }
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
