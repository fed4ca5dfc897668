package org.verbena.rdma.operations.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.Snapshot;

class MonitorRegistrationTest {
    private static final IdSnapshot ID =
            new IdSnapshot(7, "CONNECT", true, false, "TCP", "siw0", "10.0.0.1:1", "10.0.0.2:2", "a.b", 0, "");
    private static final Snapshot SNAPSHOT = new Snapshot(
            Instant.EPOCH,
            List.of(device(1, DeviceSnapshot.Condition.REMOVING), device(2, DeviceSnapshot.Condition.FAILED)),
            List.of(),
            List.of(new ListenerSnapshot(ID, 8, 1, List.of("siw0 10.0.0.1"), List.of())),
            List.of(new ConnectionSnapshot(ID, 17, "READY", true, -1, 1000, Map.of("bytes.send.out", 5L))),
            List.of(new ConsumerSnapshot("a.b", 42, "1.1", 1, 1, 3, List.of("T"), 2, 1)),
            List.of(new RemovalSnapshot(
                    1,
                    "siw0",
                    "test",
                    RemovalSnapshot.Step.WAITING_FOR_CONSUMERS,
                    10,
                    1,
                    1,
                    List.of("a.b, thread T, callback"),
                    List.of())));

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private ObjectName name;
    private MonitorRegistration registration;

    private static DeviceSnapshot device(long number, DeviceSnapshot.Condition condition) {
        return new DeviceSnapshot(
                number,
                "siw0",
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
                Map.of("errors.crc", 3L));
    }

    private static Object answer(String method, Object[] arguments) throws RdmaException {
        if (method.equals("snapshot")) {
            return SNAPSHOT;
        }
        if (arguments[0].equals("broken")) {
            return failing();
        }
        if (!arguments[0].equals("siw0")) {
            throw new RdmaException(RdmaError.NOT_FOUND, "there is no device " + arguments[0]);
        }
        return CompletableFuture.completedFuture(null);
    }

    /** As core fails: by a copy. */
    private static CompletableFuture<Void> failing() {
        return CompletableFuture.<Void>failedFuture(new RdmaException(RdmaError.NO_DEVICE, "its cable is out"))
                .copy();
    }

    @BeforeEach
    void register() throws Exception {
        name = new ObjectName("org.verbena.rdma:type=Monitor");
        registration = new MonitorRegistration((Monitor) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Monitor.class},
                (proxy, method, arguments) -> answer(method.getName(), arguments)));
    }

    @AfterEach
    void unregister() {
        registration.unregister();
        assertThat(server.isRegistered(name)).isFalse();
    }

    private CompositeData row(String attribute, Object... key) throws Exception {
        return ((TabularData) server.getAttribute(name, attribute)).get(key);
    }

    @Test
    void aRemovalTellsWhoHoldsItUp() throws Exception {
        CompositeData removal = row("Removals", "siw0", 1L);
        assertThat((String[]) removal.get("waitingFor")).containsExactly("a.b, thread T, callback");
        assertThat(removal.get("step")).isEqualTo("WAITING_FOR_CONSUMERS");
    }

    @Test
    void devicesHaveTheirCounters() throws Exception {
        CompositeData device = row("Devices", "siw0", 1L);
        assertThat(device.get("condition")).isEqualTo("REMOVING");
        assertThat(row("Devices", "siw0", 2L).get("condition")).isEqualTo("FAILED");
        assertThat((String[]) device.get("addresses")).containsExactly("10.0.0.1");
        assertThat(((TabularData) device.get("counters"))
                        .get(new Object[] {"errors.crc"})
                        .get("value"))
                .isEqualTo(3L);
        assertThat(((TabularData) device.get("verbsObjects"))
                        .get(new Object[] {"queue pair"})
                        .get("value"))
                .isEqualTo(1);
    }

    @Test
    void connectionsAndListenersHaveWhatTheirIdHas() throws Exception {
        assertThat(row("Connections", 7L).get("peer")).isEqualTo("10.0.0.2:2");
        assertThat(row("Connections", 7L).get("queuePair")).isEqualTo(17);
        assertThat(row("Listeners", 7L).get("consumer")).isEqualTo("a.b");
        assertThat(row("Consumers", "a.b", 42L).get("waitingCallbacks")).isEqualTo(2);
        assertThat(((TabularData) server.getAttribute(name, "Ids")).isEmpty()).isTrue();
    }

    @Test
    void devicesAreTakenOutAndPutBack() throws Exception {
        String[] signature = {String.class.getName()};
        assertThat(server.invoke(name, "unplug", new Object[] {"siw0"}, signature))
                .isEqualTo("device siw0 is out");
        assertThat(server.invoke(name, "plug", new Object[] {"siw0"}, signature))
                .isEqualTo("device siw0 serves again");
        assertThatThrownBy(() -> server.invoke(name, "plug", new Object[] {"nosuch"}, signature))
                .isInstanceOf(RuntimeMBeanException.class)
                .hasRootCauseMessage("there is no device nosuch");
        assertThatThrownBy(() -> server.invoke(name, "plug", new Object[] {"broken"}, signature))
                .isInstanceOf(RuntimeMBeanException.class)
                .hasRootCauseMessage("its cable is out");
    }
}
