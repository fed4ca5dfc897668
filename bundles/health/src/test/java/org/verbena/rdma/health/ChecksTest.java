package org.verbena.rdma.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Annotation;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.felix.hc.api.Result;
import org.apache.felix.hc.api.ResultLog;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.Snapshot;

class ChecksTest {
    private final List<DeviceSnapshot> devices = new ArrayList<>();
    private final List<ConsumerSnapshot> consumers = new ArrayList<>();
    private final List<RemovalSnapshot> removals = new ArrayList<>();
    private final AtomicLong now = new AtomicLong();
    private final Monitor monitor = (Monitor) Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Monitor.class},
            (proxy, method, arguments) -> method.getName().equals("snapshot")
                    ? new Snapshot(Instant.EPOCH, devices, List.of(), List.of(), List.of(), consumers, removals)
                    : (Monitor.Registration) () -> {});

    private record Limits(int waitingCallbacks, int minutesAfterForce) implements ConsumersCheck.Settings {
        @Override
        public Class<? extends Annotation> annotationType() {
            return ConsumersCheck.Settings.class;
        }
    }

    private final ConsumersCheck consumersCheck = new ConsumersCheck(monitor, new Limits(100, 60), now::get);

    private void device(String name, Condition condition, String link, String detail) {
        device(name, condition, link, detail, List.of("10.0.0.1"));
    }

    private void device(String name, Condition condition, String link, String detail, List<String> addresses) {
        devices.add(new DeviceSnapshot(
                1, name, "iwarp", "iwarp", "", addresses, List.of(), link, condition, detail, 0, Map.of(), Map.of()));
    }

    private void consumer(List<String> blocked, int waiting) {
        consumers.clear();
        consumers.add(new ConsumerSnapshot("slow", 7, "1.1", 1, 1, 0, blocked, waiting, 0));
    }

    private static List<String> messages(Result result) {
        List<String> messages = new ArrayList<>();
        for (ResultLog.Entry entry : result) {
            messages.add(entry.getStatus() + " " + entry.getMessage());
        }
        return messages;
    }

    private List<String> devicesNow() {
        return messages(new DevicesCheck(monitor).execute());
    }

    @Test
    void devicesThatServeAreFine() {
        device("siw0", Condition.PRESENT, "up", "");
        assertThat(devicesNow()).containsExactly("OK Device siw0 serves 10.0.0.1.");
    }

    @Test
    void aDeviceThatIsDownIsSaidToBe() {
        device("a", Condition.PRESENT, "down", "");
        device("b", Condition.UNPLUGGED, "up", "");
        device("c", Condition.FAILED, "up", "no memory");
        device("d", Condition.ABANDONED, "up", "it hangs");
        assertThat(devicesNow())
                .containsExactly(
                        "CRITICAL Device a has no link.",
                        "WARN Device b is taken out.",
                        "CRITICAL Device c cannot be opened: no memory.",
                        "CRITICAL Device d is given up: it hangs.");
        assertThat(new DevicesCheck(monitor).execute().getStatus()).isEqualTo(Result.Status.CRITICAL);
    }

    @Test
    void aDeviceWithoutAnAddressIsAWarning() {
        device("siw0", Condition.PRESENT, "up", "", List.of());
        assertThat(devicesNow()).containsExactly("WARN Device siw0 serves no address.");
    }

    @Test
    void whoHoldsUpARemovalIsNamed() {
        device("siw0", Condition.REMOVING, "up", "");
        removals.add(new RemovalSnapshot(
                1,
                "siw0",
                "test",
                RemovalSnapshot.Step.WAITING_FOR_CONSUMERS,
                1,
                1,
                1,
                List.of("slow, thread T, callback"),
                List.of()));
        assertThat(devicesNow())
                .containsExactly(
                        "WARN Device siw0 is being removed.",
                        "WARN The removal of siw0 is held up by slow, thread T, callback.");
    }

    @Test
    void noDeviceIsAWarning() {
        assertThat(devicesNow()).containsExactly("WARN There is no RDMA device.");
    }

    @Test
    void aConsumerThatBlocksIsCritical() {
        consumer(List.of("rdma 1"), 3);
        assertThat(messages(consumersCheck.execute()))
                .containsExactly("CRITICAL Callbacks of bundle slow block thread rdma 1.");
    }

    @Test
    void manyCallbacksThatWaitAreAWarning() {
        consumer(List.of(), 99);
        assertThat(messages(consumersCheck.execute())).containsExactly("OK No consumer is in the way.");
        consumer(List.of(), 100);
        assertThat(messages(consumersCheck.execute()))
                .containsExactly("WARN 100 callbacks of bundle slow wait for a thread.");
    }

    @Test
    void aConsumerThatWasForcedIsWarnedOfForAWhile() {
        consumersCheck.deviceDown(
                new RemovalSnapshot(1, "siw0", "test", RemovalSnapshot.Step.DONE, 1, 1, 0, List.of(), List.of("slow")));
        now.addAndGet(Duration.ofMinutes(59).toNanos());
        assertThat(messages(consumersCheck.execute()))
                .containsExactly("WARN Bundle slow did not let go of a device in time.");
        now.addAndGet(Duration.ofMinutes(2).toNanos());
        assertThat(consumersCheck.execute().isOk()).isTrue();
    }

    @Test
    void settingsThatChangeForgetNothing() {
        consumersCheck.deviceDown(
                new RemovalSnapshot(1, "siw0", "test", RemovalSnapshot.Step.DONE, 1, 1, 0, List.of(), List.of("slow")));
        now.addAndGet(Duration.ofMinutes(70).toNanos());

        consumersCheck.modified(new Limits(100, 90));

        assertThat(messages(consumersCheck.execute()))
                .containsExactly("WARN Bundle slow did not let go of a device in time.");
    }
}
