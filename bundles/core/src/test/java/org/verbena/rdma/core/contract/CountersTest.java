package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.core.contract.Bench.await;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.Snapshot;

/** What providers count, as snapshots show it. */
class CountersTest {
    private final Bench bench = new Bench();
    private final ScriptedDevice device = bench.plug("d0", Bench.LOCAL);

    @AfterEach
    void stop() {
        bench.close();
    }

    private DeviceSnapshot deviceNow(String name) {
        return bench.core.monitor().snapshot().devices().stream()
                .filter(snapshot -> snapshot.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Map<String, Long> countersNow(String name) {
        return deviceNow(name).counters();
    }

    @Test
    void snapshotsShowWhatIsCountedOnDevicesAndQueuePairs() {
        bench.consumer("consumer").established(device, new Probe());
        device.counters.put("messages.send.out", 3L);

        await(() -> countersNow("d0").equals(Map.of("messages.send.out", 3L)));
        Snapshot snapshot = bench.core.monitor().snapshot();
        assertThat(snapshot.connections()).singleElement().satisfies(connection -> {
            assertThat(connection.counters()).isEqualTo(Map.of("messages.send.out", 3L));
            assertThat(connection.queuePairState()).isEqualTo("READY");
            assertThat(connection.active()).isTrue();
            assertThat(connection.listener()).isEqualTo(-1);
        });
        bench.pull(device);
        assertThat(device.violations).isEmpty();
    }

    @Test
    void aProviderThatHangsIsAskedOnceAndHoldsUpNoSnapshot() {
        ScriptedDevice other = bench.plug("d1", "192.0.2.2");
        other.counters.put("errors.crc", 1L);
        device.counters.put("errors.crc", 1L);
        await(() ->
                countersNow("d0").containsKey("errors.crc") && countersNow("d1").containsKey("errors.crc"));
        CountDownLatch release = bench.latch();
        AtomicInteger asked = new AtomicInteger();
        device.on("readCounters", () -> {
            asked.incrementAndGet();
            await(release);
        });
        device.counters.put("errors.crc", 2L);
        other.counters.put("errors.crc", 2L);

        await(() -> countersNow("d1").get("errors.crc") == 2);

        assertThat(countersNow("d0")).as("what was told last").containsEntry("errors.crc", 1L);
        assertThat(asked).hasValue(1);
        release.countDown();
        await(() -> countersNow("d0").get("errors.crc") == 2);
    }

    @Test
    void aProviderThatThrowsOrTellsNonsenseKeepsTheRest() {
        bench.consumer("consumer").established(device, new Probe());
        device.on("readCounters", () -> {
            throw new StackOverflowError("on purpose");
        });
        device.counters.put("Messages sent", 1L);

        assertThat(countersNow("d0")).isEmpty();
        await(() -> bench.core.monitor().snapshot().connections().stream()
                .map(ConnectionSnapshot::queuePairState)
                .anyMatch("READY"::equals));
    }

    @Test
    void aDeviceThatIsStillBeingOpenedIsNotAsked() {
        CountDownLatch opening = bench.latch();
        CountDownLatch release = bench.latch();
        ScriptedDevice slow = new ScriptedDevice("slow", "192.0.2.2");
        slow.on("open", () -> {
            opening.countDown();
            await(release);
        });
        bench.offer(slow, 0);
        await(opening);

        assertThat(countersNow("slow")).isEmpty();
        assertThat(slow.violations).isEmpty();

        Thread puller = bench.pullInBackground(slow);
        await(() -> deviceNow("slow").condition() == DeviceSnapshot.Condition.REMOVING);
        assertThat(countersNow("slow")).isEmpty();
        assertThat(slow.violations).isEmpty();
        release.countDown();
        Bench.join(puller);
        assertThat(slow.violations).isEmpty();
    }

    @Test
    void aDeviceThatIsTakenOutIsNotAsked() throws Exception {
        bench.core.monitor().unplug("d0");
        await(() -> deviceNow("d0").condition() == DeviceSnapshot.Condition.UNPLUGGED);
        assertThat(countersNow("d0")).isEmpty();
        assertThat(device.violations).isEmpty();
    }
}
