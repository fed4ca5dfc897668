package org.verbena.rdma.operations.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
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

class DeviceEventsTest {
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
                    getClass().getClassLoader(), new Class<?>[] {Monitor.class}, (proxy, method, arguments) ->
                            (Monitor.Registration) closed::incrementAndGet),
            eventAdmin);

    private static DeviceSnapshot device() {
        return new DeviceSnapshot(
                "siw0",
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
    void tellsOfDevicesThatComeChangeAndGo() {
        RemovalSnapshot removal = new RemovalSnapshot(
                "siw0", "unplugged", RemovalSnapshot.Step.DONE, 12, 1, 0, List.of(), List.of("a.b"));
        events.deviceUp(device());
        events.deviceUp(device());
        events.removalStep(removal);
        events.deviceDown(removal);
        events.deviceUp(device());

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
}
