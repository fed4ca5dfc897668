package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.verbena.rdma.core.contract.Bench.await;
import static org.verbena.rdma.core.contract.Bench.awaitDestroyed;
import static org.verbena.rdma.core.contract.Bench.background;
import static org.verbena.rdma.core.contract.Bench.endpoint;
import static org.verbena.rdma.core.contract.Bench.join;
import static org.verbena.rdma.core.contract.Bench.passLane;
import static org.verbena.rdma.core.contract.Bench.run;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.ScriptedDevice.ScriptedEndpoint;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** Two things that meet at the worst moment: calls, upcalls, callbacks, removals and changes of addresses. */
class InterleavingContractTest {
    private static final InetSocketAddress PEER = new InetSocketAddress(Bench.REMOTE, 7174);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Bench bench = new Bench();
    private final ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
    private final Bench.Consumer consumer = bench.consumer("consumer");

    @AfterEach
    void stop() {
        bench.close();
        assertThat(device.violations).isEmpty();
    }

    // A call that fails, and what was raised meanwhile

    @Test
    @DisplayName("C2: of a connect that fails after all nothing is told, though a removal has queued behind its answer")
    void failedConnectUnderRemoval() {
        bench.bePatient();
        Probe probe = new Probe();
        CmId id = consumer.routed(device, probe);
        consumer.queuePair(id);
        AtomicReference<Thread> puller = new AtomicReference<>();
        device.on("connect", () -> {
            endpoint(device).upcalls.established(ConnectionParameters.defaults());
            puller.set(bench.pullInBackground(device));
            await(() -> bench.step("d0") == RemovalSnapshot.Step.WAITING_FOR_CONSUMERS);
            throw new RdmaException(RdmaError.NO_MEMORY, "full");
        });

        assertThatThrownBy(() -> id.connect(ConnectionParameters.defaults())).hasMessage("full");
        join(puller.get());

        probe.await(CmEventType.DEVICE_REMOVAL);
        assertThat(probe.types())
                .containsExactly(CmEventType.ADDR_RESOLVED, CmEventType.ROUTE_RESOLVED, CmEventType.DEVICE_REMOVAL);
    }

    @Test
    @DisplayName("C2: of a connect that fails after all no end is told either, but an address change still is")
    void failedConnectThatEnded() {
        Probe probe = new Probe();
        CmId id = consumer.routed(device, probe);
        consumer.queuePair(id);
        device.on("connect", () -> {
            endpoint(device).upcalls.established(ConnectionParameters.defaults());
            endpoint(device).upcalls.addressChanged();
            endpoint(device).upcalls.disconnected(RdmaError.SUCCESS);
            throw new RdmaException(RdmaError.NO_MEMORY, "full");
        });

        assertThatThrownBy(() -> id.connect(ConnectionParameters.defaults())).hasMessage("full");

        probe.await(CmEventType.ADDR_CHANGE);
        passLane(consumer);
        assertThat(id.state()).isEqualTo(CmState.ROUTE_RESOLVED);
        assertThat(probe.types())
                .containsExactly(CmEventType.ADDR_RESOLVED, CmEventType.ROUTE_RESOLVED, CmEventType.ADDR_CHANGE);
    }

    @Test
    @DisplayName(
            "C3: a peer that goes while accept is refused by core's own rules is told of once, whoever comes first")
    void peerGoesDuringRefusedAccept() {
        AtomicReference<CmId> child = new AtomicReference<>();
        Probe probe = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            child.set(event.id());
            return Verdict.KEEP;
        });
        consumer.listening(probe);
        ScriptedEndpoint endpoint = device.listeners.get(0).request();
        probe.await(CmEventType.CONNECT_REQUEST);
        consumer.queuePair(child.get());
        // Parameters that core refuses; the peer goes while it is about to.
        ConnectionParameters tooMuch =
                ConnectionParameters.defaults().withPrivateData(java.nio.ByteBuffer.allocate(500));
        bench.atMark(
                "d0",
                () -> assertThatThrownBy(() -> child.get().accept(tooMuch)).isInstanceOf(RdmaException.class),
                () -> endpoint.upcalls.disconnected(RdmaError.CONNECTION_RESET));
        probe.await(CmEventType.DISCONNECTED);
        endpoint.upcalls.disconnected(RdmaError.CONNECTION_RESET);
        passLane(consumer);

        assertThat(probe.count(CmEventType.DISCONNECTED)).isEqualTo(1);
        assertThatThrownBy(() -> child.get().accept(ConnectionParameters.defaults()))
                .isInstanceOfAny(RdmaException.class, IllegalStateException.class);
    }

    // A failed resolution that is dropped while something else happens

    @Test
    @DisplayName("C5: destroy in another callback, while a failed resolution is dropped: its callback does not begin")
    void destroyWhileResolutionIsDropped() {
        CountDownLatch closing = bench.latch();
        CountDownLatch go = bench.latch();
        CountDownLatch marked = bench.latch();
        Probe probe = new Probe();
        CmId target = consumer.id(probe);
        run(() -> target.resolveAddress(null, PEER, LONG));
        ScriptedEndpoint endpoint = endpoint(device);
        device.on("close endpoint", () -> {
            closing.countDown();
            await(go);
        });
        endpoint.upcalls.addressError(RdmaError.TIMED_OUT);
        await(closing);
        Probe destroyer = new Probe().on(CmEventType.ADDR_RESOLVED, event -> {
            target.destroy();
            marked.countDown();
            return Verdict.KEEP;
        });
        consumer.resolved(device, destroyer);
        await(marked);
        device.on("close endpoint", () -> {});

        go.countDown();

        awaitDestroyed(target);
        assertThat(probe.events).isEmpty();
        assertThat(endpoint.calls).containsOnlyOnce("close");
    }

    @Test
    @DisplayName("C9: a failed resolution whose event comes after the revocation leaves no endpoint at the provider")
    void resolutionIsDroppedAfterRevocation() {
        bench.core.configure(Bench.PATIENT_WITH_PROVIDERS);
        CountDownLatch lane = bench.latch();
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        Bench.Consumer other = bench.consumer("other");
        CmId hanging = other.resolved(device, new Probe());
        Probe probe = new Probe();
        CmId id = consumer.id(probe);
        run(() -> id.resolveAddress(null, PEER, LONG));
        ScriptedEndpoint failing = endpoint(device);
        blockLane(consumer, lane);
        failing.upcalls.addressError(RdmaError.TIMED_OUT);
        device.on("resolveRoute", () -> {
            inside.countDown();
            await(go);
        });
        Thread caller = background("caller", () -> run(() -> hanging.resolveRoute(LONG)));
        await(inside);
        Thread puller = bench.pullInBackground(device);
        await(() -> bench.step("d0") == RemovalSnapshot.Step.WAITING_FOR_PROVIDER);

        lane.countDown();
        probe.await(CmEventType.ADDR_ERROR);
        go.countDown();

        join(puller);
        join(caller);
        assertThat(failing.closed).isTrue();
        assertThat(device.live).hasValue(0);
        // It was bound to the device when the device went, and is told so; then it is free to go.
        probe.await(CmEventType.DEVICE_REMOVAL);
        awaitDestroyed(id);
    }

    private void blockLane(Bench.Consumer of, CountDownLatch until) {
        CountDownLatch blocked = new CountDownLatch(Bench.QUICK.blockedCallbacks());
        for (int i = 0; i < Bench.QUICK.blockedCallbacks(); i++) {
            of.session.consumer().lane().execute("test", () -> {
                blocked.countDown();
                await(until);
            });
        }
        await(blocked);
    }

    @Test
    @DisplayName(
            "C8: the endpoint of a failed resolution is closed once, also when the id is bound and destroyed later")
    void failedResolutionOfABoundId() {
        Probe probe = new Probe();
        CmId id = consumer.id(probe);
        run(() -> id.bindAddress(new InetSocketAddress(Bench.LOCAL, 0)));
        run(() -> id.resolveAddress(null, PEER, LONG));
        ScriptedEndpoint endpoint = endpoint(device);
        endpoint.upcalls.addressError(RdmaError.TIMED_OUT);
        probe.await(CmEventType.ADDR_ERROR);

        id.destroy();

        assertThat(endpoint.calls).containsExactly("close");
    }

    // Listening while devices come and go

    @Test
    @DisplayName("C9: a listen that comes back after the revocation leaves no listener at the provider")
    void listenThatComesBackLate() {
        bench.core.configure(Bench.PATIENT_WITH_PROVIDERS);
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        consumer.listening(new Probe());
        ScriptedDevice slow = new ScriptedDevice("d1", "192.0.2.2");
        slow.on("listen", () -> {
            inside.countDown();
            await(go);
        });
        bench.plug(slow, 0);
        await(inside);
        Thread puller = bench.pullInBackground(slow);
        await(() -> bench.step("d1") == RemovalSnapshot.Step.WAITING_FOR_PROVIDER);

        go.countDown();

        join(puller);
        assertThat(slow.listeners).hasSize(1).allMatch(listener -> listener.closed);
        assertThat(slow.live).hasValue(0);
        assertThat(slow.violations).isEmpty();
    }

    @Test
    @DisplayName("C11: a device that goes while a wildcard listen is under way does not fail it")
    void deviceGoesDuringListen() {
        bench.bePatient();
        ScriptedDevice second = new ScriptedDevice("d1", "192.0.2.2");
        bench.plug(second, 0);
        List<ScriptedDevice> both = List.of(device, second);
        AtomicReference<ScriptedDevice> pulled = new AtomicReference<>();
        AtomicReference<Thread> puller = new AtomicReference<>();
        for (ScriptedDevice first : both) {
            ScriptedDevice other = first == device ? second : device;
            first.on("listen", () -> {
                if (pulled.compareAndSet(null, other)) {
                    puller.set(bench.pullInBackground(other));
                    await(() -> bench.core.devices().book().devices().size() == 1);
                }
            });
        }

        CmId listener = consumer.listening(new Probe());

        join(puller.get());
        assertThat(listener.state()).isEqualTo(CmState.LISTEN);
        ScriptedDevice left = pulled.get() == device ? second : device;
        await(() -> left.listeners.size() == 1);
        assertThat(pulled.get().listeners).isEmpty();
    }

    @ParameterizedTest(
            name = "C11: a wildcard listen that meets a provider that says {0} before core knows does not fail")
    @EnumSource(names = {"NO_DEVICE", "ADDRESS_NOT_AVAILABLE"})
    void providerKnowsFirst(RdmaError said) {
        ScriptedDevice second = bench.plug("d1", "192.0.2.2");
        AtomicInteger tries = new AtomicInteger();
        second.on("listen", () -> {
            if (tries.getAndIncrement() == 0) {
                throw new RdmaException(said, "gone");
            }
        });

        CmId listener = consumer.listening(new Probe());

        assertThat(listener.state()).isEqualTo(CmState.LISTEN);
        assertThat(device.listeners).hasSize(1);
        await(() -> second.listeners.size() == 1);
    }

    @Test
    @DisplayName("C11: addresses that change while they are read are read again")
    void addressesChangeWhileTheyAreRead() throws Exception {
        CountDownLatch reading = bench.latch();
        CountDownLatch go = bench.latch();
        device.on("addresses", () -> {
            reading.countDown();
            await(go);
        });
        device.upcalls.addressesChanged();
        await(reading);

        device.changeAddresses("192.0.2.77");
        go.countDown();

        InetAddress now = InetAddress.getByName("192.0.2.77");
        await(() -> bench.core.devices().book().serving(now) != null);
        assertThat(bench.core.devices().book().serving(InetAddress.getByName(Bench.LOCAL)))
                .isNull();
    }

    @Test
    @DisplayName("C11: a listener follows a device's addresses: it stops on one that went and starts on one that came")
    void addressesChange() {
        CmId listener = consumer.listening(new Probe());
        var before = device.listeners.get(0);

        device.changeAddresses("192.0.2.8");

        await(() -> before.closed && device.listeners.size() == 2);
        assertThat(device.listeners.get(1).localAddress().getAddress().getHostAddress())
                .isEqualTo("192.0.2.8");
        device.changeAddresses(Bench.LOCAL);
        await(() -> device.listeners.size() == 3 && device.listeners.get(1).closed);
        assertThat(before.request())
                .as("a request that comes late at the old address")
                .isNull();
        assertThat(listener.state()).isEqualTo(CmState.LISTEN);
    }

    @Test
    @DisplayName("C11: an address that moves is listened on when its former device has let go of it")
    void addressMovesWhileItIsClosed() {
        Duration hour = Duration.ofHours(1);
        bench.core.configure(new CoreConfiguration(hour, hour, hour, 4, hour, hour));
        consumer.listening(new Probe());
        var before = device.listeners.get(0);
        CountDownLatch closing = bench.latch();
        CountDownLatch go = bench.latch();
        device.on("close listener", () -> {
            closing.countDown();
            await(go);
        });
        Thread puller = bench.pullInBackground(device);
        await(closing);
        ScriptedDevice second = new ScriptedDevice("d1", Bench.LOCAL);
        AtomicReference<Boolean> wasFree = new AtomicReference<>();
        second.on("listen", () -> wasFree.compareAndSet(null, before.closed));

        bench.offer(second, 0);

        await(() -> wasFree.get() != null || isSomeThreadIn("awaitClosed"));
        go.countDown();
        join(puller);
        await(() -> second.listeners.size() == 1);
        assertThat(wasFree).hasValue(true);
    }

    @Test
    @DisplayName(
            "C11: a listener that is destroyed while a new device begins to listen keeps its port until that is over")
    void destroyedWhileADeviceBeginsToListen() {
        bench.core.configure(Bench.PATIENT_WITH_PROVIDERS);
        CmId listener = consumer.listening(new Probe());
        InetSocketAddress address = listener.localAddress();
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        ScriptedDevice slow = new ScriptedDevice("d1", "192.0.2.2");
        slow.on("listen", () -> {
            inside.countDown();
            await(go);
        });
        bench.plug(slow, 0);
        await(inside);
        Thread destroyer = new Thread(listener::destroy);
        destroyer.start();
        await(() -> isWaiting(destroyer));

        assertThatThrownBy(() -> consumer.id(new Probe()).bindAddress(address)).isInstanceOf(RdmaException.class);
        go.countDown();

        join(destroyer);
        assertThat(slow.listeners).hasSize(1).allMatch(closed -> closed.closed);
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static boolean isSomeThreadIn(String method) {
        return Thread.getAllStackTraces().values().stream().flatMap(Stream::of).anyMatch(frame -> frame.getMethodName()
                .equals(method));
    }

    @Test
    @DisplayName("C2: a request that a listen has let in before it failed on another device is refused")
    void requestDuringFailedListen() {
        ScriptedDevice second = bench.plug("d1", "192.0.2.2");
        AtomicReference<ScriptedEndpoint> request = new AtomicReference<>();
        List<ScriptedDevice> both = List.of(device, second);
        for (ScriptedDevice last : both) {
            ScriptedDevice first = last == device ? second : device;
            last.on("listen", () -> {
                if (!first.listeners.isEmpty()) {
                    request.set(first.listeners.get(0).request());
                    throw new RdmaException(RdmaError.NO_MEMORY, "full");
                }
            });
        }
        Probe probe = new Probe();
        CmId id = consumer.id(probe);
        run(() -> id.bindAddress(new InetSocketAddress("0.0.0.0", 4711)));

        assertThatThrownBy(() -> id.listen(4)).hasMessage("full");

        await(() -> request.get().closed);
        ScriptedDevice first = device.listeners.isEmpty() ? second : device;
        assertThat(first.listeners.get(0).closed).isTrue();
        assertThat(first.listeners.get(0).request()).as("a late request").isNull();
        passLane(consumer);
        assertThat(probe.events).isEmpty();
        assertThat(id.state()).isEqualTo(CmState.ADDR_BOUND);
        assertThat(second.violations).isEmpty();
    }
}
