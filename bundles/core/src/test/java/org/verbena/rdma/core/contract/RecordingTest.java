package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.core.contract.Bench.await;
import static org.verbena.rdma.core.contract.Bench.endpoint;
import static org.verbena.rdma.core.contract.Bench.run;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.core.dispatch.Lane;
import org.verbena.rdma.core.scripted.ScriptedDevice;

/** What Java Flight Recorder is told. */
class RecordingTest {
    private static final InetSocketAddress PEER = new InetSocketAddress(Bench.REMOTE, 7174);

    private final Bench bench = new Bench();

    @AfterEach
    void stop() {
        bench.close();
    }

    private static List<RecordedEvent> events(Recording recording, Path directory) throws Exception {
        Path file = directory.resolve("recording.jfr");
        recording.stop();
        recording.dump(file);
        return RecordingFile.readAllEvents(file);
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("org.verbena.rdma." + name))
                .toList();
    }

    @Test
    @DisplayName("A removal is recorded with its steps, its duration, and who had to be forced")
    void removal(@TempDir Path directory) throws Exception {
        List<RecordedEvent> events;
        try (Recording recording = new Recording()) {
            recording.start();
            ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
            CmId id = bench.consumer("slow").established(device, new Probe());
            new Bench.Verbs(id.queuePair().protectionDomain(), null, id.queuePair()).postReceive(1);
            bench.pull(device);
            events = events(recording, directory);
        }

        assertThat(named(events, "DeviceUp")).singleElement().satisfies(up -> {
            assertThat(up.getString("device")).isEqualTo("d0");
            assertThat(up.getString("provider")).isEqualTo("scripted");
            assertThat(up.getString("addresses")).contains(Bench.LOCAL);
        });
        RecordedEvent down = named(events, "DeviceDown").get(0);
        assertThat(down.getString("cause")).isEqualTo("test");
        assertThat(down.getInt("idsTold")).isEqualTo(1);
        assertThat(down.getInt("forced")).isEqualTo(1);
        assertThat(down.getBoolean("abandoned")).isFalse();
        assertThat(down.getEventType().getCategoryNames()).containsExactly("Verbena", "Devices");
        List<RecordedEvent> steps = named(events, "RemovalStep");
        assertThat(steps)
                .extracting(step -> step.getString("step"))
                .containsExactly(
                        "MARKED",
                        "UNREGISTERING_SERVICE",
                        "CANCELLING_QUERIES",
                        "TELLING_IDS",
                        "WAITING_FOR_CONSUMERS",
                        "REVOKING",
                        "WAITING_FOR_PROVIDER",
                        "CLOSING");
        Duration all = steps.stream().map(RecordedEvent::getDuration).reduce(Duration.ZERO, Duration::plus);
        assertThat(all).isLessThanOrEqualTo(down.getDuration());
        assertThat(steps.get(4).getDuration()).isPositive();
        assertThat(named(events, "ForcedConsumer")).singleElement().satisfies(forced -> {
            assertThat(forced.getString("bundle")).isEqualTo("slow");
            assertThat(forced.getString("device")).isEqualTo("d0");
        });
    }

    @Test
    @DisplayName("Each callback is recorded with its bundle, its event, its time in the queue and in the consumer")
    void callbacks(@TempDir Path directory) throws Exception {
        List<RecordedEvent> events;
        CountDownLatch go = bench.latch();
        CountDownLatch ran = bench.latch();
        try (Recording recording = new Recording()) {
            recording.start();
            ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
            Bench.Consumer consumer = bench.consumer("consumer");
            CmId id = consumer.id(new Probe().on(CmEventType.ADDR_RESOLVED, event -> {
                await(go);
                return Verdict.DESTROY;
            }));
            id.destroyed().thenRun(ran::countDown);
            run(() -> id.resolveAddress(null, PEER, Duration.ofSeconds(30)));
            endpoint(device).upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
            await(() -> !bench.core.dispatcher().running().isEmpty());
            go.countDown();
            await(ran);
            await(() -> bench.core.dispatcher().running().isEmpty());
            events = events(recording, directory);
        }

        assertThat(named(events, "Callback")).hasSize(2).allSatisfy(callback -> {
            assertThat(callback.getString("bundle")).isEqualTo("consumer");
            assertThat(callback.getDuration("waited")).isGreaterThanOrEqualTo(Duration.ZERO);
            assertThat(callback.getThread().getJavaName()).startsWith("verbena-callback-");
            assertThat(callback.getDuration()).isPositive();
        });
        assertThat(named(events, "Callback"))
                .extracting(callback -> callback.getString("callback"))
                .containsExactlyInAnyOrder("callback of id 1, ADDR_RESOLVED", "continuation");
    }

    @Test
    @DisplayName("While nobody records, a callback allocates nothing for the recorder")
    void allocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        AtomicLong allocated = new AtomicLong(-1);
        Lane lane = bench.consumer("consumer").session.consumer().lane();
        // The second turn looks at what its thread has allocated since the first one, between which the dispatcher was
        // at work.
        for (int round = 0; round < 50 && allocated.get() != 0; round++) {
            CountDownLatch both = new CountDownLatch(2);
            long[] before = new long[2];
            Thread[] thread = new Thread[1];
            Runnable second = () -> {
                long now =
                        threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                if (thread[0] == Thread.currentThread()) {
                    allocated.set(now - before[0]);
                }
                both.countDown();
            };
            lane.execute("first", () -> {
                lane.execute("second", second);
                thread[0] = Thread.currentThread();
                both.countDown();
                before[0] = threads.getThreadAllocatedBytes(thread[0].getId());
            });
            await(both);
        }
        assertThat(allocated).hasValue(0);
    }
}
