package org.verbena.rdma.core.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.dispatch.Dispatcher;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.guard.ShortOfMemory;
import org.verbena.rdma.core.recording.Recorder;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.Unpublished;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.core.session.Consumer;
import org.verbena.rdma.core.session.Session;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** What comes too late for a step of the removal, or without memory. */
@Timeout(60)
class LateTest {
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private final ExecutorService working = Executors.newCachedThreadPool();
    private final Dispatcher dispatcher = new Dispatcher(() -> 4, () -> 1_000, Recorder.NONE);
    private final ScriptedDevice provider = new ScriptedDevice("d0", "192.0.2.1");
    private final List<Device> changed = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        timer.shutdownNow();
        working.shutdownNow();
        dispatcher.close();
        assertThat(provider.violations).isEmpty();
    }

    private Device open(Guard guard, java.util.concurrent.Executor threads) throws Exception {
        Device device = made(provider, guard, threads);
        device.open();
        return device;
    }

    private Device made(ScriptedDevice offered, Guard guard, java.util.concurrent.Executor threads) {
        return new Device(
                offered,
                "d0",
                new DeviceRank(0, 1),
                new Device.Services(guard, (owner, listener) -> {}, changed::add, threads, timer));
    }

    private void remove(Device device) {
        Removal removal = new Removal(
                1,
                device,
                RemovalOrder.now("test", false, CoreConfiguration.DEFAULTS),
                new Removal.Surroundings(new Quiet(), new Quiet(), working, left -> {}, Recorder.NONE));
        removal.begin();
        removal.unpublish();
        removal.await();
        assertThat(removal.isAbandoned()).isFalse();
        assertThat(provider.closes).hasValue(1);
    }

    @Test
    @DisplayName("C16: a query whose close comes too late for the provider is closed by the removal")
    void queryIsLeft() throws Exception {
        Queue<Runnable> held = new ArrayDeque<>();
        Device device = open(new Guard(), held::add);
        Session session = new Session(new Consumer("consumer", -1, CmVersion.CURRENT, dispatcher.lane("consumer")));
        device.queries()
                .begin(
                        session,
                        InetAddress.getByName("192.0.2.1"),
                        InetAddress.getByName("192.0.2.2"),
                        Duration.ofSeconds(60));
        held.remove().run();

        remove(device);

        // The close that step 3 has asked for finds the device shut.
        held.remove().run();
        assertThat(held).isEmpty();
        assertThat(provider.queries.get(0).closed).isTrue();
        assertThat(provider.live).hasValue(0);
    }

    @Test
    @DisplayName("C17: after the removal neither a call nor an upcall gets through")
    void shutBothWays() throws Exception {
        Device device = open(new Guard(), working);
        remove(device);

        assertThat(device.enter()).isNull();
        assertThat(device.enterUpcall()).isNull();
        provider.upcalls.addressesChanged();
        assertThat(changed).isEmpty();
    }

    @Test
    @DisplayName("C3: the first upcall of a thread waits for the memory that it needs")
    void firstUpcallWithoutMemory() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        Device device = open(ShortOfMemory.guard(failures), working);
        failures.set(3);

        Thread upcall = new Thread(provider.upcalls::addressesChanged);
        upcall.start();
        upcall.join();

        assertThat(failures).hasValue(0);
        assertThat(changed).containsExactly(device);
    }

    @Test
    @DisplayName("A device that is open has its addresses, whoever reads them at the same time")
    void addressesAreReadByWhoOpens() throws Exception {
        Guard guard = new Guard();
        for (int round = 0; round < 2_000; round++) {
            ScriptedDevice opening = new ScriptedDevice("d0", "192.0.2.1");
            Device device = made(opening, guard, working);
            Thread reader = new Thread(() -> {
                while (device.addresses().isEmpty()) {
                    device.refresh();
                }
            });
            opening.on("open", reader::start);
            device.open();
            assertThat(device.addresses()).as("round %d", round).isNotEmpty();
            reader.join();
            assertThat(opening.violations).isEmpty();
        }
    }

    private static final class Quiet extends Unpublished implements DeviceObserver {
        @Override
        public void deviceUp(Device device) {}

        @Override
        public void removalStep(RemovalSnapshot removal) {}
    }
}
