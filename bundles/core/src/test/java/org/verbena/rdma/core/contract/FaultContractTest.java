package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.verbena.rdma.core.contract.Bench.await;
import static org.verbena.rdma.core.contract.Bench.awaitDestroyed;
import static org.verbena.rdma.core.contract.Bench.background;
import static org.verbena.rdma.core.contract.Bench.endpoint;
import static org.verbena.rdma.core.contract.Bench.join;
import static org.verbena.rdma.core.contract.Bench.run;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.ScriptedDevice.ScriptedEndpoint;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** Providers that hang or throw in any call, and consumers that hold up their own activation. */
class FaultContractTest {
    private static final InetSocketAddress PEER = new InetSocketAddress(Bench.REMOTE, 7174);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Bench bench = new Bench();
    private final ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
    private final Bench.Consumer consumer = bench.consumer("consumer");

    @AfterEach
    void stop() {
        bench.close();
    }

    @Test
    @DisplayName("C5: a provider that throws an Error from a close keeps nobody waiting for the id")
    void errorFromClose() {
        device.on("closed endpoint", () -> {
            throw new OutOfMemoryError("on purpose");
        });
        CmId id = consumer.resolved(device, new Probe());

        id.destroy();

        awaitDestroyed(id);
        bench.pull(device);
        assertThat(device.closes).hasValue(1);
        assertThat(device.violations).isEmpty();
    }

    @Test
    @DisplayName("C4: a listener goes on after a refused request whose close throws an Error")
    void errorFromTheCloseOfARequest() {
        device.on("closed endpoint", () -> {
            throw new StackOverflowError("on purpose");
        });
        Probe probe = new Probe().on(CmEventType.CONNECT_REQUEST, event -> Verdict.DESTROY);
        CmId listener = consumer.listening(probe);

        device.listeners.get(0).request();
        device.listeners.get(0).request();

        await(() -> probe.count(CmEventType.CONNECT_REQUEST) == 2);
        listener.destroy();
        assertThat(device.live).hasValue(0);
    }

    @Test
    @DisplayName(
            "C11: a provider that hangs in listen keeps the listener from no other device, before and after it goes")
    void hangsInListen() {
        CmId listener = consumer.listening(new Probe());
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        ScriptedDevice hanging = new ScriptedDevice("d1", "192.0.2.2");
        hanging.on("listen", () -> {
            inside.countDown();
            await(go);
        });
        bench.plug(hanging, 0);
        await(inside);

        ScriptedDevice third = bench.plug("d2", "192.0.2.3");
        await(() -> third.listeners.size() == 1);
        bench.pull(hanging);
        ScriptedDevice fourth = bench.plug("d3", "192.0.2.4");
        await(() -> fourth.listeners.size() == 1);

        Thread destroyer = background("destroyer", listener::destroy);
        join(destroyer);
        assertThat(third.listeners.get(0).closed).isTrue();
    }

    @Test
    @DisplayName("C11: a provider that hangs in the close of a listener keeps destroy no longer than the hung limit")
    void hangsInCloseOfListener() {
        ScriptedDevice second = bench.plug("d1", "192.0.2.2");
        CountDownLatch go = bench.latch();
        CmId listener = consumer.listening(new Probe());
        int port = listener.localAddress().getPort();
        device.on("close listener", () -> await(go));

        Thread destroyer = background("destroyer", listener::destroy);

        join(destroyer);
        assertThat(second.listeners.get(0).closed).isTrue();
        CmId next = consumer.id(new Probe());
        run(() -> next.bindAddress(new InetSocketAddress("0.0.0.0", port)));
    }

    @Test
    @DisplayName("C11: an Error from listen is shown and tried again like any failure")
    void errorFromListen() {
        consumer.listening(new Probe());
        AtomicInteger tries = new AtomicInteger();
        ScriptedDevice second = new ScriptedDevice("d1", "192.0.2.2");
        second.on("listen", () -> {
            if (tries.incrementAndGet() < 3) {
                throw new StackOverflowError("on purpose");
            }
        });

        bench.plug(second, 0);

        await(() -> second.listeners.size() == 1);
    }

    @Test
    @DisplayName("C11: a consumer that is slow to be activated on a new device keeps no listener of another from it")
    void slowActivation() {
        bench.bePatient();
        CountDownLatch go = bench.latch();
        consumer.listening(new Probe());
        bench.publisher.whenPublished = () -> await(go);
        ScriptedDevice second = new ScriptedDevice("d1", "192.0.2.2");

        bench.offer(second, 0);

        await(() -> second.listeners.size() == 1);
    }

    @Test
    @DisplayName(
            "C12: a provider that hangs in a close holds up neither the end of a session nor what is on other devices")
    void hangsWhenASessionEnds() {
        ScriptedDevice second = bench.plug("d1", "192.0.2.2");
        CountDownLatch go = bench.latch();
        device.on("close endpoint", () -> await(go));
        for (int i = 0; i < 4; i++) {
            CmId id = consumer.id(new Probe());
            ScriptedDevice where = i % 2 == 0 ? device : second;
            String local = where == device ? Bench.LOCAL : "192.0.2.2";
            run(() -> id.resolveAddress(new InetSocketAddress(local, 0), PEER, LONG));
        }

        Thread ender = background("ender", consumer::end);

        join(ender);
        await(() -> second.endpoints.stream().allMatch(endpoint -> endpoint.closed));
        go.countDown();
        await(() -> device.live.get() == 0);
        assertThat(device.violations).isEmpty();
    }

    @Test
    @DisplayName("C9: once a device is abandoned nothing more is closed, also when the close that hung comes back")
    void hangsInTheLastStep() {
        CountDownLatch go = bench.latch();
        CountDownLatch busy = bench.latch();
        Probe probe = new Probe().on(CmEventType.ADDR_RESOLVED, event -> {
            await(busy);
            return Verdict.KEEP;
        });
        CmId id = consumer.id(probe);
        run(() -> id.resolveAddress(null, PEER, LONG));
        ScriptedEndpoint endpoint = endpoint(device);
        endpoint.upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
        await(probe.entered);
        CountDownLatch over = bench.latch();
        device.on("close endpoint", () -> await(go));
        device.on("closed endpoint", over::countDown);
        DeviceSlot slot = bench.core.devices().slots().iterator().next();

        bench.core.devices().remove(java.util.List.of(slot), "test");

        assertThat(slot.condition()).isEqualTo(DeviceSnapshot.Condition.ABANDONED);
        go.countDown();
        await(over);
        assertThat(device.closes).hasValue(0);
    }

    @Test
    @DisplayName("C9: a provider that hangs when it is asked for its addresses is given up at the hung limit")
    void hangsInAddresses() {
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        device.on("addresses", () -> {
            inside.countDown();
            await(go);
        });
        device.upcalls.addressesChanged();
        await(inside);

        bench.pull(device);

        assertThat(device.closes).hasValue(0);
    }

    @Test
    @DisplayName("C10: while a removal waits for a thread inside the provider, it says which")
    void saysWhoIsInside() {
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        device.on("addresses", () -> {
            inside.countDown();
            await(go);
        });
        device.upcalls.addressesChanged();
        await(inside);
        bench.core.configure(Bench.PATIENT);

        Thread puller = bench.pullInBackground(device);

        await(() -> bench.core.monitor().snapshot().removals().stream()
                .flatMap(removal -> removal.waitingFor().stream())
                .anyMatch(what -> what.matches("thread .+ inside provider .+")));
        go.countDown();
        join(puller);
        assertThat(device.closes).hasValue(1);
    }

    @Test
    @DisplayName("C9: a provider that throws an Error from the close of its device is done with all the same")
    void errorFromCloseOfDevice() {
        device.on("close device", () -> {
            throw new OutOfMemoryError("on purpose");
        });
        CmId id = consumer.established(device, new Probe());

        bench.pull(device);

        awaitDestroyed(id);
        assertThat(device.live).hasValue(0);
    }

    @Test
    @DisplayName("C16: a provider that throws an Error when it is asked for a path ends the query")
    void errorFromQueryPath() throws Exception {
        device.on("queryPath", () -> {
            throw new StackOverflowError("on purpose");
        });
        var query = consumer.device("d0")
                .queryPath(
                        java.net.InetAddress.getByName(Bench.LOCAL),
                        java.net.InetAddress.getByName(Bench.REMOTE),
                        LONG);

        assertThatThrownBy(() -> query.path()
                        .toCompletableFuture()
                        .orTimeout(20, java.util.concurrent.TimeUnit.SECONDS)
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(RdmaException.class);
    }

    @Test
    @DisplayName("C20: plug says why a device cannot be opened, whatever its provider throws")
    void errorFromOpen() throws RdmaException {
        bench.core.monitor().unplug("d0").toCompletableFuture().join();
        device.on("open", () -> {
            throw new StackOverflowError("on purpose");
        });

        assertThatThrownBy(() ->
                        bench.core.monitor().plug("d0").toCompletableFuture().join())
                .hasMessageContaining("StackOverflowError");

        device.on("open", () -> {});
        bench.core.monitor().plug("d0").toCompletableFuture().join();
        assertThat(device.opens).hasValue(2);
    }

    @Test
    @DisplayName("C14: a destroy that waits for a call which hangs in the provider ends with the device's removal")
    void destroyWaitsForAHungCall() {
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        CmId id = consumer.resolved(device, new Probe());
        device.on("resolveRoute", () -> {
            inside.countDown();
            await(go);
        });
        Thread caller = background("caller", () -> run(() -> id.resolveRoute(LONG)));
        await(inside);
        Thread destroyer = background(
                "destroyer", () -> assertThatThrownBy(id::destroy).isInstanceOf(IllegalStateException.class));
        await(() -> destroyer.getState() == Thread.State.WAITING);

        bench.pull(device);

        join(destroyer);
        go.countDown();
        join(caller);
    }

    @Test
    @DisplayName("C10: a bundle whose call hangs in the provider is shown as waiting, and is not blamed for it")
    void hungCallIsNotBlamed() {
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        CmId id = consumer.resolved(device, new Probe());
        device.on("resolveRoute", () -> {
            inside.countDown();
            await(go);
        });
        Thread caller = background("caller", () -> run(() -> id.resolveRoute(LONG)));
        await(inside);
        bench.core.configure(Bench.PATIENT);
        Thread puller = bench.pullInBackground(device);
        await(() -> bench.core.monitor().snapshot().removals().stream()
                .flatMap(removal -> removal.waitingFor().stream())
                .anyMatch(what -> what.equals("bundle consumer, " + id + ", resolveRoute inside the provider")));
        go.countDown();
        join(caller);
        join(puller);

        ScriptedDevice second = bench.plug("d1", "192.0.2.2");
        CmId other = consumer.id(new Probe());
        CountDownLatch insideAgain = bench.latch();
        CountDownLatch goAgain = bench.latch();
        second.on("resolve", () -> {
            insideAgain.countDown();
            await(goAgain);
        });
        bench.core.configure(Bench.QUICK);
        Thread hanging = background(
                "hanging", () -> run(() -> other.resolveAddress(new InetSocketAddress("192.0.2.2", 0), PEER, LONG)));
        await(insideAgain);
        bench.pull(second);
        assertThat(bench.forcedBundles()).isEmpty();
        goAgain.countDown();
        join(hanging);
    }

    @Test
    @DisplayName("C3: a failed resolution whose endpoint cannot be closed in peace is told of all the same")
    void errorFromCloseOfFailedResolution() {
        device.on("closed endpoint", () -> {
            throw new OutOfMemoryError("on purpose");
        });
        Probe probe = new Probe();
        CmId id = consumer.id(probe);
        run(() -> id.resolveAddress(null, PEER, LONG));

        endpoint(device).upcalls.addressError(RdmaError.TIMED_OUT);

        probe.await(CmEventType.ADDR_ERROR);
        device.on("closed endpoint", () -> {});
        run(() -> id.resolveAddress(null, PEER, LONG));
        assertThat(bench.step("d0")).isNotEqualTo(RemovalSnapshot.Step.MARKED);
    }
}
