package org.verbena.rdma.operations.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.osgi.service.event.Event;
import org.osgi.service.event.EventAdmin;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.Snapshot;

class DeviceEventsTest {
    private static final Snapshot SNAPSHOT = new Snapshot(
            Instant.EPOCH, List.of(device(1, "old0")), List.of(), List.of(), List.of(), List.of(), List.of());

    private final List<Event> posted = new ArrayList<>();
    private final AtomicInteger closed = new AtomicInteger();
    private final EventAdmin eventAdmin = new EventAdmin() {
        @Override
        public void postEvent(Event event) {
            posted.add(event);
        }

        @Override
        public void sendEvent(Event event) {
            throw new AssertionError("would wait for handlers");
        }
    };
    private final DeviceEvents events = new DeviceEvents(
            (Monitor) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {Monitor.class},
                    (proxy, method, arguments) -> method.getName().equals("snapshot")
                            ? SNAPSHOT
                            : (Monitor.Registration) closed::incrementAndGet),
            eventAdmin);

    private static DeviceSnapshot device(long number, String name) {
        return new DeviceSnapshot(
                number,
                name,
                "iwarp",
                "iwarp",
                "",
                List.of("10.0.0.1"),
                List.of(),
                "up",
                DeviceSnapshot.Condition.PRESENT,
                "",
                0,
                Map.of(),
                Map.of());
    }

    @Test
    void whatWasThereBeforeChangesAndDoesNotCome() {
        events.deviceUp(device(1, "old0"));

        assertThat(posted).extracting(Event::getTopic).containsExactly("org/verbena/rdma/device/CHANGED");
    }

    @Test
    void tellsOfDevicesThatComeChangeAndGo() {
        RemovalSnapshot removal = new RemovalSnapshot(
                2, "siw0", "unplugged", RemovalSnapshot.Step.DONE, 12, 1, 0, List.of(), List.of("a.b"));
        events.deviceUp(device(2, "siw0"));
        events.deviceUp(device(2, "siw0"));
        events.removalStep(removal);
        events.deviceDown(removal);
        events.deviceUp(device(2, "siw0"));

        assertThat(posted)
                .extracting(Event::getTopic)
                .containsExactly(
                        "org/verbena/rdma/device/UP",
                        "org/verbena/rdma/device/CHANGED",
                        "org/verbena/rdma/device/DOWN",
                        "org/verbena/rdma/device/UP");
        assertThat(posted.get(0).getProperty("rdma.device")).isEqualTo("siw0");
        assertThat((String[]) posted.get(0).getProperty("rdma.addresses")).containsExactly("10.0.0.1");
        assertThat((String[]) posted.get(2).getProperty("forced")).containsExactly("a.b");
        events.end();
        assertThat(closed).hasValue(1);
    }

    @Test
    void whatGoesLateDoesNotTakeTheNextOfItsNameAway() {
        events.deviceUp(device(2, "siw0"));
        events.deviceUp(device(3, "siw0"));
        events.deviceDown(
                new RemovalSnapshot(2, "siw0", "withdrawn", RemovalSnapshot.Step.DONE, 12, 1, 0, List.of(), List.of()));
        events.deviceUp(device(3, "siw0"));

        assertThat(posted)
                .extracting(Event::getTopic)
                .endsWith("org/verbena/rdma/device/DOWN", "org/verbena/rdma/device/CHANGED");
    }
}
