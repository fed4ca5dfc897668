package org.verbena.rdma.provider.disni.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.provider.disni.scripted.ScriptedNatives;
import org.verbena.rdma.spi.DeviceUpcalls;
import org.verbena.rdma.spi.ProviderDevice;

class DeviceWatchTest {
    private static final PresentDevice FIRST = new PresentDevice("test0", 1);
    private static final PresentDevice SECOND = new PresentDevice("test0", 2);
    private static final PresentDevice OTHER = new PresentDevice("test1", 1);
    private static final int DEVICE_FATAL = 8;

    private final ScriptedNatives scripted = new ScriptedNatives();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final BlockingQueue<ProviderDevice> devices = new LinkedBlockingQueue<>();
    private volatile Set<PresentDevice> present = Set.of();
    private volatile CountDownLatch hold = new CountDownLatch(0);

    private final DeviceWatch watch = new DeviceWatch(() -> present, scripted.natives(), new DeviceRegistry() {
        @Override
        public void register(ProviderDevice device) {
            devices.add(device);
            told.add("+" + device.name());
        }

        @Override
        public void unregister(ProviderDevice device) {
            try {
                hold.await();
            } catch (InterruptedException nobodys) {
                throw new IllegalStateException(nobodys);
            }
            told.add("-" + device.name());
        }
    });

    @Test
    void announcesWhatComesAndTakesBackWhatGoes() throws Exception {
        watch.look();
        assertThat(told).isEmpty();
        present = Set.of(FIRST);
        watch.look();
        watch.look();
        assertThat(next()).isEqualTo("+test0");
        present = Set.of(OTHER);
        watch.look();
        assertThat(List.of(next(), next())).containsExactlyInAnyOrder("-test0", "+test1");
        assertThat(told).isEmpty();
    }

    @Test
    void aDeviceThatCameBackUnderItsNameIsAnother() throws Exception {
        present = Set.of(FIRST);
        watch.look();
        assertThat(next()).isEqualTo("+test0");
        hold = new CountDownLatch(1);
        present = Set.of(SECOND);
        watch.look();
        watch.look();
        assertThat(told).isEmpty();
        hold.countDown();
        assertThat(next()).isEqualTo("-test0");
        lookUntilTold();
        assertThat(next()).isEqualTo("+test0");
        assertThat(devices).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void oneRemovalHoldsUpNoOtherDevice() throws Exception {
        present = Set.of(FIRST);
        watch.look();
        assertThat(next()).isEqualTo("+test0");
        hold = new CountDownLatch(1);
        present = Set.of(OTHER);
        watch.look();
        assertThat(next()).isEqualTo("+test1");
        hold.countDown();
        assertThat(next()).isEqualTo("-test0");
    }

    @Test
    void aDeviceThatCannotBeAskedIsTriedAgain() throws Exception {
        scripted.answer("openDevice", arguments -> -11L);
        present = Set.of(FIRST);
        watch.look();
        watch.look();
        assertThat(told).isEmpty();
        scripted.answer("openDevice", arguments -> 5L);
        lookUntilTold();
        assertThat(next()).isEqualTo("+test0");
    }

    @Test
    void aDeviceThatHasFailedGoesOnceAndStaysAwayWhileItIsThere() throws Exception {
        present = Set.of(FIRST);
        watch.begin();
        assertThat(next()).isEqualTo("+test0");
        ProviderDevice device = devices.take();
        CountDownLatch gone = new CountDownLatch(1);
        device.open(new DeviceUpcalls() {
            @Override
            public void addressesChanged() {}

            @Override
            public void linkChanged() {}

            @Override
            public void gone() {
                gone.countDown();
            }
        });
        scripted.raiseAsync(DEVICE_FATAL, 0);
        scripted.raiseAsync(DEVICE_FATAL, 0);
        gone.await();
        assertThat(next()).isEqualTo("-test0");
        device.close();

        present = Set.of(OTHER, FIRST);
        assertThat(next()).isEqualTo("+test1");
        // Now it is gone, and what comes under its name is another.
        present = Set.of();
        assertThat(next()).isEqualTo("-test1");
        present = Set.of(SECOND);
        assertThat(next()).isEqualTo("+test0");
        watch.stop();
    }

    @Test
    void stopTakesAllBackOnItsThread() throws Exception {
        present = Set.of(FIRST, OTHER);
        watch.begin();
        assertThat(List.of(next(), next())).containsExactlyInAnyOrder("+test0", "+test1");
        watch.stop();
        assertThat(List.of(next(), next())).containsExactlyInAnyOrder("-test0", "-test1");
        assertThat(scripted.names()).endsWith("releaseDevices");
    }

    private String next() throws InterruptedException {
        String line = told.poll(10, TimeUnit.SECONDS);
        return line == null ? "nothing came" : line;
    }

    private void lookUntilTold() {
        for (int i = 0; i < 1_000_000 && told.isEmpty(); i++) {
            watch.look();
        }
    }
}
