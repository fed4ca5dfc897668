package org.verbena.rdma.core.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.dispatch.Dispatcher;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.recording.Recorder;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.core.session.Consumer;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** How a removal treats the ids of its device. */
@Timeout(60)
class RemovalTest {
    private static final CoreConfiguration PATIENT = new CoreConfiguration(
            Duration.ofHours(1),
            Duration.ofHours(1),
            Duration.ofHours(1),
            4,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1));

    private final Dispatcher dispatcher = new Dispatcher(() -> 4, () -> 1_000, Recorder.NONE);
    private final CountDownLatch activating = new CountDownLatch(1);
    private final CountDownLatch activated = new CountDownLatch(1);
    private final Devices devices =
            new Devices(() -> PATIENT, new Guard(), dispatcher, new Publisher(), new Observer(), Recorder.NONE);
    private final ScriptedDevice provider = new ScriptedDevice("d0", "192.0.2.1");

    @AfterEach
    void stop() {
        activated.countDown();
        dispatcher.close();
        assertThat(provider.violations).isEmpty();
    }

    @Test
    @DisplayName("C10: an adding in progress and consumers that keep their ids have one deadline together")
    void oneDeadline() throws Exception {
        DeviceSlot slot = devices.offer(provider, new DeviceRank(0, 1));
        activating.await();
        Keeping id = new Keeping(new Consumer("keeping", -1, CmVersion.CURRENT, dispatcher.lane("keeping")));
        slot.device().attach(id);
        long anHourAgo = System.nanoTime() - PATIENT.removalDeadline().toNanos();

        // With two deadlines, or one that is counted from the end of the adding on, this would take an hour.
        RemovalTicket ticket =
                slot.beginRemoval(new RemovalOrder("test", false, PATIENT, Thread.currentThread(), anHourAgo));
        ticket.unpublish();
        ticket.await();

        assertThat(id.forced).hasValue(1);
        assertThat(id.consumer.forced()).isEqualTo(1);
        assertThat(provider.closes).hasValue(1);
    }

    @Test
    @DisplayName("C7: all ids are marked before the first is told, so that none is told by its peer's end instead")
    void markedFirst() throws Exception {
        DeviceSlot slot = devices.offer(provider, new DeviceRank(0, 1));
        activating.await();
        activated.countDown();
        Consumer consumer = new Consumer("keeping", -1, CmVersion.CURRENT, dispatcher.lane("keeping"));
        List<Keeping> ids = List.of(new Keeping(consumer), new Keeping(consumer));
        AtomicInteger marked = new AtomicInteger();
        List<Integer> markedWhenTold = new CopyOnWriteArrayList<>();
        for (Keeping id : ids) {
            slot.device().attach(id);
            id.whenMarked = marked::incrementAndGet;
            id.whenTold = () -> markedWhenTold.add(marked.get());
        }

        RemovalTicket ticket =
                slot.beginRemoval(new RemovalOrder("test", false, PATIENT, Thread.currentThread(), System.nanoTime()));
        ids.forEach(Keeping::force);
        ticket.unpublish();
        ticket.await();

        assertThat(markedWhenTold).containsExactly(2, 2);
    }

    private final class Publisher implements DevicePublisher {
        @Override
        public void publish(Device device) {
            activating.countDown();
            try {
                activated.await();
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        }

        @Override
        public void update(Device device) {}

        @Override
        public void unpublish(Device device) {}
    }

    private static final class Observer implements DeviceObserver {
        @Override
        public void deviceUp(Device device) {}

        @Override
        public void removalStep(RemovalSnapshot removal) {}
    }

    /** An id that its consumer never lets go of. */
    private static final class Keeping implements DeviceMember {
        private final Consumer consumer;
        private final AtomicInteger forced = new AtomicInteger();
        private volatile Runnable whenMarked = () -> {};
        private volatile Runnable whenTold = () -> {};

        Keeping(Consumer consumer) {
            this.consumer = consumer;
        }

        @Override
        public void markRemoval(Device device) {
            whenMarked.run();
        }

        @Override
        public boolean tellRemoval(Device device) {
            whenTold.run();
            return true;
        }

        @Override
        public void refuseIfUndelivered() {}

        @Override
        public boolean isHolding(Thread unregistering) {
            return forced.get() == 0;
        }

        @Override
        public boolean isBlamed() {
            return true;
        }

        @Override
        public void destroyIfIdle() {}

        @Override
        public void force() {
            forced.incrementAndGet();
        }

        @Override
        public void breakWaits() {}

        @Override
        public void closeLeftover() {}

        @Override
        public Consumer consumer() {
            return consumer;
        }

        @Override
        public String waitingFor() {
            return "keeping";
        }
    }
}
