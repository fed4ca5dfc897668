package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.core.contract.Bench.await;
import static org.verbena.rdma.core.contract.Bench.background;
import static org.verbena.rdma.core.contract.Bench.endpoint;
import static org.verbena.rdma.core.contract.Bench.join;
import static org.verbena.rdma.core.contract.Bench.run;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.scripted.CapturedLog;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.monitor.DeviceSnapshot;

/** Providers that hang while nobody takes their devices away: whoever waits for them, and whoever only looks on. */
class HungCallContractTest {
    private final Bench bench = new Bench();
    private final CountDownLatch inside = bench.latch();
    private final CountDownLatch go = bench.latch();

    @AfterEach
    void stop() {
        bench.close();
    }

    private void hold() {
        inside.countDown();
        await(go);
    }

    private DeviceSnapshot only() {
        return bench.core.monitor().snapshot().devices().get(0);
    }

    @Test
    @DisplayName("C18: who waits in destroy for a call that hangs learns which thread that is")
    void destroyBesideAHungCall() {
        ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
        CmId id = bench.consumer("consumer").routed(device, new Probe());
        device.on("connect", this::hold);
        Thread hanging = background("hanging-caller", () -> run(() -> id.connect(ConnectionParameters.defaults())));
        await(inside);
        assertThat(only().detail()).isEmpty();
        Thread destroyer = background("destroyer", id::destroy);

        await(() -> only().detail().startsWith("thread hanging-caller has not come back from provider scripted for "));

        assertThat(only().condition()).isEqualTo(DeviceSnapshot.Condition.PRESENT);
        assertThat(destroyer.isAlive()).isTrue();
        go.countDown();
        join(hanging);
        join(destroyer);
        await(() -> only().detail().isEmpty());
    }

    @Test
    @DisplayName("C18: a destroy that hangs in the provider itself is found too")
    void hungClose() {
        ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
        CmId id = bench.consumer("consumer").resolved(device, new Probe());
        device.on("close endpoint", this::hold);
        Thread destroyer = background("destroyer", id::destroy);

        await(() -> only().detail().startsWith("thread destroyer has not come back"));

        go.countDown();
        join(destroyer);
    }

    @Test
    @DisplayName("C9: a provider that is asked what its device is has its unregistration wait for that")
    void withdrawnWhileItTellsItsAttributes() {
        bench.bePatient();
        ScriptedDevice device = new ScriptedDevice("d0", Bench.LOCAL);
        device.on("device attributes", this::hold);
        bench.offer(device, 0);
        await(inside);
        Thread puller = bench.pullInBackground(device);
        await(() -> puller.getState() == Thread.State.TIMED_WAITING);

        go.countDown();

        join(puller);
        assertThat(device.closes.get()).isEqualTo(device.opens.get());
    }

    @Test
    @DisplayName(
            "C9: a provider that never tells what its device is holds up its unregistration for the hung limit, and is abandoned")
    void hangsInItsAttributes() {
        ScriptedDevice device = new ScriptedDevice("d0", Bench.LOCAL);
        device.on("device attributes", this::hold);
        DeviceSlot slot = bench.offer(device, 0);
        await(inside);

        try (CapturedLog log = new CapturedLog()) {
            bench.pull(device);

            assertThat(log.text())
                    .contains("ERROR")
                    .contains("device d0 is abandoned: thread verbena-core-")
                    .contains("HungCallContractTest.hold(");
        }

        go.countDown();
        assertThat(slot.device()).isNull();
        assertThat(slot.condition()).isEqualTo(DeviceSnapshot.Condition.ABANDONED);
        assertThat(device.opens).hasValue(0);
    }

    @Test
    @DisplayName("C9: an upcall that does not come back has its device abandoned, and the log says where it is")
    void hungUpcall() {
        ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
        Bench.Consumer consumer = bench.consumer("consumer");
        CmId id = consumer.routed(device, new Probe());
        consumer.queuePair(id);
        run(() -> id.connect(ConnectionParameters.defaults()));
        device.on("localAddress", this::hold);
        Thread upcall =
                background("upcall", () -> endpoint(device).upcalls.established(ConnectionParameters.defaults()));
        await(inside);

        try (CapturedLog log = new CapturedLog()) {
            bench.pull(device);

            assertThat(log.text())
                    .contains("device d0 is abandoned: thread upcall ")
                    .contains("HungCallContractTest.hold(");
        }

        go.countDown();
        join(upcall);
        assertThat(device.closes).hasValue(0);
    }

    @Test
    @DisplayName("C9: to look at devices calls no provider for what it has told before")
    void looksWithoutTheProvider() {
        ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
        device.on("device attributes", () -> {
            throw new IllegalStateException("on purpose");
        });
        assertThat(only().provider()).isEqualTo("scripted");

        run(() -> bench.core.monitor().unplug("d0").toCompletableFuture().join());

        assertThat(only().provider()).isEqualTo("scripted");
        assertThat(only().transport()).isEqualTo("other");
    }
}
