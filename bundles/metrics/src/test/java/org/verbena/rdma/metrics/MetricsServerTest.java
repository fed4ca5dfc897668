package org.verbena.rdma.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Annotation;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.Snapshot;

class MetricsServerTest {
    private static final IdSnapshot ID =
            new IdSnapshot(7, "CONNECT", true, false, "TCP", "siw0", "10.0.0.1:1", "10.0.0.2:2", "a.b", 0, "");

    private static Snapshot snapshot() {
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("messages.send.out", 3L);
        counters.put("bytes.send.out", 300L);
        counters.put("bytes.read.in", 7L);
        counters.put("terminates.in.ddp.1.2", 1L);
        counters.put("errors.crc", 2L);
        counters.put("connections.established", 4L);
        counters.put("drops.total", 6L);
        counters.put("up", 9L);
        return new Snapshot(
                Instant.EPOCH,
                List.of(
                        device("siw0", DeviceSnapshot.Condition.REMOVING, counters),
                        device("siw1", DeviceSnapshot.Condition.PRESENT, counters),
                        device("siw1", DeviceSnapshot.Condition.FAILED, Map.of())),
                List.of(),
                List.of(),
                List.of(new ConnectionSnapshot(ID, 17, "READY", true, -1, 1000, Map.of())),
                List.of(new ConsumerSnapshot("a.b", 42, "1.1", 1, 1, 3, List.of("T"), 2, 1)),
                List.of(new RemovalSnapshot(
                        1,
                        "siw0",
                        "test",
                        RemovalSnapshot.Step.WAITING_FOR_CONSUMERS,
                        1500,
                        1,
                        1,
                        List.of("a.b, thread \"T\", callback"),
                        List.of())));
    }

    private static DeviceSnapshot device(String name, DeviceSnapshot.Condition condition, Map<String, Long> counters) {
        return new DeviceSnapshot(
                1,
                name,
                "iwarp",
                "iwarp",
                "",
                List.of("10.0.0.1"),
                List.of(),
                "up",
                condition,
                "",
                1,
                Map.of("queue pair", 1),
                counters);
    }

    private static MetricsServer.Settings at(int port) {
        return new MetricsServer.Settings() {
            @Override
            public String address() {
                return "127.0.0.1";
            }

            @Override
            public int port() {
                return port;
            }

            @Override
            public Class<? extends Annotation> annotationType() {
                return MetricsServer.Settings.class;
            }
        };
    }

    private static Monitor monitor() {
        return (Monitor) Proxy.newProxyInstance(
                MetricsServerTest.class.getClassLoader(),
                new Class<?>[] {Monitor.class},
                (proxy, method, arguments) -> snapshot());
    }

    private static List<String> scrape(int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body()
                .lines()
                .toList();
    }

    @Test
    void servesWhatTheMonitorKnows() throws Exception {
        MetricsServer server = new MetricsServer(monitor(), at(0));
        try {
            assertThat(scrape(server.port()))
                    .contains(
                            "verbena_device_up{device=\"siw0\",provider=\"iwarp\",transport=\"iwarp\"} 0.0",
                            "verbena_device_up{device=\"siw1\",provider=\"iwarp\",transport=\"iwarp\"} 1.0",
                            "verbena_device_messages_total{device=\"siw0\",direction=\"out\",operation=\"send\"} 3.0",
                            "verbena_device_bytes_total{device=\"siw1\",direction=\"in\",operation=\"read\"} 7.0",
                            "verbena_device_terminates_total{code=\"2\",device=\"siw0\",direction=\"in\",layer=\"ddp\","
                                    + "type=\"1\"} 1.0",
                            "verbena_device_errors_crc_total{device=\"siw0\"} 2.0",
                            "verbena_device_drops_total{device=\"siw1\"} 6.0",
                            "verbena_device_objects{device=\"siw0\",kind=\"queue pair\"} 1.0",
                            "verbena_connections{device=\"siw0\"} 1.0",
                            "verbena_consumer_waiting_callbacks{bundle=\"a.b\",bundle_id=\"42\"} 2.0",
                            "verbena_consumer_forced_total{bundle=\"a.b\",bundle_id=\"42\"} 1.0",
                            "verbena_removal_seconds{device=\"siw0\",step=\"WAITING_FOR_CONSUMERS\"} 1.5",
                            "verbena_removal_held_up{device=\"siw0\",holder=\"a.b, thread \\\"T\\\", callback\"} 1.0");
        } finally {
            server.stop();
        }
    }

    @Test
    void aPortThatCannotBeIsSaid() {
        MetricsServer server = new MetricsServer(monitor(), at(70_000));
        assertThat(server.port()).isEqualTo(-1);
        server.stop();
    }

    @Test
    void aPortThatIsTakenIsSaidAndKeepsNothing() {
        MetricsServer first = new MetricsServer(monitor(), at(0));
        MetricsServer second = new MetricsServer(monitor(), at(first.port()));
        assertThat(second.port()).isEqualTo(-1);
        second.stop();
        first.stop();
    }
}
