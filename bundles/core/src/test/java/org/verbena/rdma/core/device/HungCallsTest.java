package org.verbena.rdma.core.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.guard.Presence;
import org.verbena.rdma.core.scripted.CapturedLog;
import org.verbena.rdma.core.scripted.ScriptedDevice;

class HungCallsTest {
    private static final long LIMIT = 1_000_000_000;

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScriptedDevice provider = new ScriptedDevice("d0", "192.0.2.1");
    private final Device device = new Device(
            provider,
            "d0",
            new DeviceRank(0, 1),
            new Device.Services(new Guard(), (owner, listener) -> {}, changed -> {}, threads, timer));
    private final HungCalls hungCalls = new HungCalls();

    @AfterEach
    void stop() {
        timer.shutdownNow();
        threads.shutdownNow();
    }

    private String look(long now) {
        try (CapturedLog log = new CapturedLog()) {
            hungCalls.look(Map.of(device, "scripted"), LIMIT, now);
            return log.text();
        }
    }

    @Test
    @DisplayName("a thread that does not come back is said once, and once when it has; the provider is not asked")
    void isSaidOnce() {
        provider.on("device attributes", () -> {
            throw new IllegalStateException("asked");
        });
        String self = Thread.currentThread().getName();
        Presence here = device.enter();
        assertThat(look(0)).isEmpty();
        assertThat(look(LIMIT - 1)).isEmpty();

        assertThat(look(LIMIT))
                .contains("WARN")
                .contains("device d0: thread " + self + " has not come back from provider scripted for 1000 ms");
        assertThat(hungCalls.of(device, 2 * LIMIT))
                .hasValueSatisfying(said -> assertThat(said).contains("for 2000 ms"));
        assertThat(look(2 * LIMIT)).isEmpty();
        here.exit();

        assertThat(look(3 * LIMIT))
                .contains("INFO")
                .contains("device d0: thread " + self + " has come back from provider scripted");
        assertThat(hungCalls.of(device, 3 * LIMIT)).isEmpty();
        assertThat(look(4 * LIMIT)).isEmpty();
        assertThat(provider.violations).isEmpty();
    }

    @Test
    @DisplayName("a thread that comes again and again is none that hangs")
    void comesAgain() {
        for (int time = 0; time < 3; time++) {
            Presence here = device.enter();
            assertThat(look(time * LIMIT)).isEmpty();
            here.exit();
        }
    }

    @Test
    @DisplayName("a thread inside an upcall is in core, and none that hangs in the provider")
    void upcallsAreNotCalls() {
        Presence here = device.enterUpcall();
        assertThat(look(0)).isEmpty();
        assertThat(look(LIMIT)).isEmpty();
        here.exit();
    }
}
