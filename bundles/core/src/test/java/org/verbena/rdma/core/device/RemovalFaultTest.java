package org.verbena.rdma.core.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.recording.Recorder;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** A removal whose surroundings fail: it closes the device and ends whatever happens around it. */
@Timeout(60)
class RemovalFaultTest {
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private final ExecutorService working = Executors.newCachedThreadPool();
    private final ScriptedDevice provider = new ScriptedDevice("d0", "192.0.2.1");

    @AfterEach
    void stop() {
        timer.shutdownNow();
        working.shutdownNow();
        assertThat(provider.closes).hasValue(1);
        assertThat(provider.violations).isEmpty();
    }

    private Device open() throws RdmaException {
        Device device = new Device(
                provider,
                "d0",
                new DeviceRank(0, 1),
                new Device.Services(new Guard(), (owner, listener) -> {}, changed -> {}, working, timer));
        device.open();
        return device;
    }

    private void remove(Executor threads, DevicePublisher publisher, DeviceObserver observer) throws RdmaException {
        CoreConfiguration quick = new CoreConfiguration(
                Duration.ofMillis(400),
                Duration.ofMillis(100),
                Duration.ofSeconds(20),
                4,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
        Removal removal = new Removal(
                1,
                open(),
                RemovalOrder.now("test", false, quick),
                new Removal.Surroundings(
                        publisher,
                        observer,
                        threads,
                        left -> {
                            throw new IllegalStateException("on purpose");
                        },
                        Recorder.NONE));
        removal.begin();
        removal.unpublish();
        removal.await();
        assertThat(removal.isAbandoned()).isFalse();
    }

    @Test
    @DisplayName("C9: without memory for a thread the device is closed on the thread that takes it away")
    void noThreads() throws RdmaException {
        remove(
                work -> {
                    throw new OutOfMemoryError("unable to create native thread, on purpose");
                },
                new Publisher(() -> {}),
                new Observer(() -> {}));
    }

    @Test
    @DisplayName("C9: when core's threads are gone already the device is closed all the same")
    void rejected() throws RdmaException {
        remove(
                work -> {
                    throw new RejectedExecutionException("on purpose");
                },
                new Publisher(() -> {}),
                new Observer(() -> {}));
    }

    @Test
    @DisplayName("C9: a service registry, an observer or an address book that throws does not end a removal half-way")
    void everythingThrows() throws RdmaException {
        remove(
                working,
                new Publisher(() -> {
                    throw new IllegalStateException("on purpose");
                }),
                new Observer(() -> {
                    throw new OutOfMemoryError("on purpose");
                }));
    }

    private record Publisher(Runnable fault) implements DevicePublisher {
        @Override
        public void publish(Device device) {}

        @Override
        public void update(Device device) {}

        @Override
        public void unpublish(Device device) {
            fault.run();
        }
    }

    private record Observer(Runnable fault) implements DeviceObserver {
        @Override
        public void deviceUp(Device device) {}

        @Override
        public void removalStep(RemovalSnapshot removal) {
            fault.run();
        }
    }
}
