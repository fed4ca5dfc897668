package org.verbena.rdma.core.osgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.device.DeviceRank;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.Unpublished;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.MonitorListener;

@Timeout(60)
class MonitorServicesTest {
    private final Core core = new Core(
            new CoreConfiguration(
                    Duration.ofMillis(200),
                    Duration.ofMillis(100),
                    Duration.ofSeconds(10),
                    4,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1)),
            new Unpublished(),
            destination -> null);
    private final CountDownLatch go = new CountDownLatch(1);

    @AfterEach
    void stop() {
        go.countDown();
        core.stop();
    }

    @Test
    @DisplayName("C12: a bundle whose monitor listener blocks stops at the deadline, and adds no listener afterwards")
    void listenerThatBlocks() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        MonitorListener listener = new MonitorListener() {
            @Override
            public void deviceUp(DeviceSnapshot device) {
                inside.countDown();
                try {
                    go.await();
                } catch (InterruptedException stopped) {
                    throw new AssertionError(stopped);
                }
            }
        };
        MonitorServices services = new MonitorServices(core);
        Monitor monitor = (Monitor) services.getService(null, null);
        monitor.addListener(listener);
        core.devices().offer(new ScriptedDevice("d0", "192.0.2.1"), new DeviceRank(0, 1));
        assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();

        services.ungetService(null, null, monitor);

        assertThatThrownBy(() -> monitor.addListener(new MonitorListener() {}))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("C12: what was to follow unplug does not run when the bundle has stopped")
    void continuationAfterTheStop() throws Exception {
        ScriptedDevice device = new ScriptedDevice("d0", "192.0.2.1");
        CountDownLatch closing = new CountDownLatch(1);
        device.on("close device", () -> {
            closing.countDown();
            try {
                go.await();
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        });
        DeviceSlot slot = core.devices().offer(device, new DeviceRank(0, 1));
        await().until(() -> slot.condition() == DeviceSnapshot.Condition.PRESENT);
        MonitorServices services = new MonitorServices(core);
        Monitor stopped = (Monitor) services.getService(null, null);
        AtomicBoolean ran = new AtomicBoolean();
        stopped.unplug("d0").thenRun(() -> ran.set(true));
        assertThat(closing.await(20, TimeUnit.SECONDS)).isTrue();

        services.ungetService(null, null, stopped);
        go.countDown();

        await().until(() -> slot.condition() == DeviceSnapshot.Condition.UNPLUGGED);
        // Behind it on the same lane.
        core.monitor().plug("d0").thenRun(() -> {}).toCompletableFuture().join();
        assertThat(ran).isFalse();
    }
}
