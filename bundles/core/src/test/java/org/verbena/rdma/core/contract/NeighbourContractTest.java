package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.verbena.rdma.core.contract.Bench.await;
import static org.verbena.rdma.core.contract.Bench.awaitDestroyed;
import static org.verbena.rdma.core.contract.Bench.background;
import static org.verbena.rdma.core.contract.Bench.endpoint;
import static org.verbena.rdma.core.contract.Bench.join;
import static org.verbena.rdma.core.contract.Bench.run;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.PathQuery;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.ScriptedDevice.ScriptedEndpoint;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.Snapshot;

/** Neighbours of the scenarios: unplug and plug, ends of sessions and of core, and addresses that move, at bad moments. */
class NeighbourContractTest {
    private static final InetSocketAddress PEER = new InetSocketAddress(Bench.REMOTE, 7174);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Bench bench = new Bench();
    private final ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
    private final Bench.Consumer consumer = bench.consumer("consumer");
    private final CountDownLatch inside = bench.latch();
    private final CountDownLatch go = bench.latch();

    @AfterEach
    void stop() {
        bench.close();
        assertThat(device.violations).isEmpty();
    }

    private void holdIn(String call) {
        device.on(call, () -> {
            inside.countDown();
            await(go);
        });
    }

    @Test
    @DisplayName("C20: plug during unplug is refused and says why, and works afterwards")
    void plugDuringUnplug() throws RdmaException {
        bench.bePatient();
        holdIn("close device");
        var unplugged = bench.core.monitor().unplug("d0").toCompletableFuture();
        await(inside);

        assertThatThrownBy(() -> bench.core.monitor().plug("d0")).hasMessageContaining("d0 (removing)");
        assertThatThrownBy(() -> bench.core.monitor().unplug("d0")).hasMessageContaining("d0 (removing)");

        go.countDown();
        unplugged.join();
        device.on("close device", () -> {});
        bench.core.monitor().plug("d0").toCompletableFuture().join();
        assertThat(device.opens).hasValue(2);
    }

    @Test
    @DisplayName("C20: a monitor that is kept beyond the stop of core says that core has stopped")
    void plugAfterStop() throws RdmaException {
        bench.core.monitor().unplug("d0").toCompletableFuture().join();
        bench.core.stop();

        assertThatThrownBy(() -> bench.core.monitor().plug("d0"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("core has stopped");
    }

    @Test
    @DisplayName("C14: a provider that takes away a device which is being unplugged waits for that, and it stays away")
    void withdrawnDuringUnplug() throws RdmaException {
        bench.bePatient();
        holdIn("close device");
        var unplugged = bench.core.monitor().unplug("d0").toCompletableFuture();
        await(inside);
        Thread puller = bench.pullInBackground(device);
        await(() -> puller.getState() == Thread.State.WAITING);

        go.countDown();

        join(puller);
        unplugged.join();
        assertThat(device.closes).hasValue(1);
        assertThatThrownBy(() -> bench.core.monitor().plug("d0")).hasMessageContaining("there is no device d0");
    }

    @Test
    @DisplayName("C14: a provider that takes away a device which is being plugged in waits for that and leaves nothing")
    void withdrawnDuringPlug() throws RdmaException {
        bench.core.monitor().unplug("d0").toCompletableFuture().join();
        bench.bePatient();
        holdIn("open");
        var plugged = bench.core.monitor().plug("d0").toCompletableFuture();
        await(inside);
        Thread puller = bench.pullInBackground(device);
        await(() -> puller.getState() == Thread.State.TIMED_WAITING);

        go.countDown();

        join(puller);
        await(plugged::isDone);
        assertThat(device.closes).hasValue(2);
        assertThat(bench.core.devices().slots()).isEmpty();
        assertThat(bench.core.devices().book().devices()).isEmpty();
    }

    @Test
    @DisplayName("A device whose name was taken comes when the other one goes")
    void nameIsFree() {
        ScriptedDevice twin = new ScriptedDevice("d0", "192.0.2.9");
        DeviceSlot slot = bench.offer(twin, 0);
        await(() -> slot.condition() == DeviceSnapshot.Condition.FAILED);
        assertThat(slot.detail()).contains("another device is named d0");
        assertThat(bench.core.monitor().snapshot().devices())
                .extracting(DeviceSnapshot::condition)
                .containsExactly(DeviceSnapshot.Condition.PRESENT, DeviceSnapshot.Condition.FAILED);

        bench.pull(device);

        await(() -> slot.condition() == DeviceSnapshot.Condition.PRESENT);
        assertThat(twin.opens).hasValue(2);
        assertThat(twin.violations).isEmpty();
    }

    @Test
    @DisplayName("Two devices of one name that go at a time are told apart by their numbers")
    void oneNameTwoRemovals() {
        ScriptedDevice twin = new ScriptedDevice("d0", "192.0.2.9");
        DeviceSlot slot = bench.offer(twin, 0);
        await(() -> slot.condition() == DeviceSnapshot.Condition.FAILED);
        bench.bePatient();
        CountDownLatch both = new CountDownLatch(2);
        for (ScriptedDevice each : List.of(device, twin)) {
            each.on("close device", () -> {
                both.countDown();
                await(go);
            });
        }

        Thread puller = bench.pullInBackground(device);
        await(() -> slot.condition() == DeviceSnapshot.Condition.PRESENT);
        Thread next = bench.pullInBackground(twin);
        await(both);

        Snapshot snapshot = bench.core.monitor().snapshot();
        assertThat(snapshot.devices()).extracting(DeviceSnapshot::name).containsExactly("d0", "d0");
        assertThat(snapshot.removals())
                .extracting(RemovalSnapshot::deviceNumber)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(
                        snapshot.devices().stream().map(DeviceSnapshot::number).toList());
        go.countDown();
        join(puller);
        join(next);
    }

    @Test
    @DisplayName("A device whose name has become free, and which cannot be opened then, is not tried again and again")
    void nameIsFreeInVain() {
        ScriptedDevice twin = new ScriptedDevice("d0", "192.0.2.9");
        DeviceSlot slot = bench.offer(twin, 0);
        await(() -> slot.condition() == DeviceSnapshot.Condition.FAILED);
        AtomicInteger tries = new AtomicInteger();
        twin.on("open", () -> {
            tries.incrementAndGet();
            throw new IllegalStateException("on purpose");
        });

        bench.pull(device);

        await(() -> slot.detail().contains("on purpose"));
        assertThatThrownBy(() ->
                        bench.core.monitor().plug("d0").toCompletableFuture().join())
                .hasMessageContaining("on purpose");
        assertThat(tries).hasValue(2);
    }

    @Test
    @DisplayName("C18: a queue pair that is being made while its device goes is closed by the removal")
    void queuePairDuringRemoval() {
        bench.core.configure(Bench.PATIENT_WITH_PROVIDERS);
        CmId id = consumer.resolved(device, new Probe());
        holdIn("createQueuePair");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread maker = background("maker", () -> {
            try {
                consumer.queuePair(id);
            } catch (AssertionError failed) {
                thrown.set(failed.getCause());
            }
        });
        await(inside);
        Thread puller = bench.pullInBackground(device);
        // REVOKING is told before anything is revoked; this step follows it.
        await(() -> bench.step("d0") == RemovalSnapshot.Step.WAITING_FOR_PROVIDER);

        go.countDown();

        join(maker);
        join(puller);
        assertThat(thrown.get()).isInstanceOf(DeviceRemovedException.class);
        assertThat(endpoint(device).queuePair.closed).isTrue();
        assertThat(device.live).hasValue(0);
    }

    @Test
    @DisplayName("C12: a session that ends while its accept is inside the provider leaves no connection")
    void sessionEndsDuringAccept() {
        AtomicReference<CmId> child = new AtomicReference<>();
        Probe probe = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            child.set(event.id());
            return Verdict.KEEP;
        });
        consumer.listening(probe);
        ScriptedEndpoint request = device.listeners.get(0).request();
        probe.await(CmEventType.CONNECT_REQUEST);
        consumer.queuePair(child.get());
        bench.bePatient();
        holdIn("accept");
        Thread acceptor = background("acceptor", () -> run(() -> child.get().accept(ConnectionParameters.defaults())));
        await(inside);
        Thread ender = background("ender", consumer::end);
        await(() -> consumer.session.isEnded() && ender.getState() == Thread.State.TIMED_WAITING);
        assertThat(request.closed).isFalse();
        request.upcalls.established(ConnectionParameters.defaults());

        go.countDown();

        join(acceptor);
        join(ender);
        assertThat(request.closed).isTrue();
        assertThat(probe.types()).containsExactly(CmEventType.CONNECT_REQUEST);
        assertThat(device.live).hasValue(0);
    }

    @Test
    @DisplayName("C10: a session that ends while a removal waits for its ids lets the removal go on at once, unblamed")
    void sessionEndsDuringRemoval() {
        bench.bePatient();
        Probe probe = new Probe();
        CmId id = consumer.established(device, probe);
        new Bench.Verbs(id.queuePair().protectionDomain(), null, id.queuePair()).postReceive(1);
        Thread puller = bench.pullInBackground(device);
        probe.await(CmEventType.DEVICE_REMOVAL);

        consumer.end();

        join(puller);
        assertThat(bench.forcedBundles()).isEmpty();
        assertThat(device.live).hasValue(0);
    }

    @Test
    @DisplayName(
            "C7: an id stays with its device when the address moves to another, and is told only when its own goes")
    void addressMoves() {
        Probe probe = new Probe();
        CmId id = consumer.resolved(device, probe);
        CmId listener = consumer.listening(new Probe());
        device.changeAddresses("192.0.2.20");
        ScriptedDevice heir = bench.plug("d1", Bench.LOCAL);
        await(() -> heir.listeners.size() == 1);

        bench.pull(heir);

        assertThat(probe.count(CmEventType.DEVICE_REMOVAL)).isZero();
        run(() -> id.resolveRoute(LONG));
        bench.pull(device);
        probe.await(CmEventType.DEVICE_REMOVAL);
        assertThat(listener.state()).isEqualTo(CmState.LISTEN);
        assertThat(heir.violations).isEmpty();
    }

    @Test
    @DisplayName("C16: core that stops while a provider hangs in a path query ends the query and itself")
    void coreStopsDuringQuery() throws Exception {
        holdIn("queryPath");
        PathQuery query = consumer.device("d0")
                .queryPath(InetAddress.getByName(Bench.LOCAL), InetAddress.getByName(Bench.REMOTE), LONG);
        await(inside);

        Thread stopper = background("stopper", bench.core::stop);

        assertThatThrownBy(() -> query.path().toCompletableFuture().join()).isInstanceOf(CompletionException.class);
        join(stopper);
        assertThat(device.closes).hasValue(0);
        go.countDown();
    }

    @Test
    @DisplayName("C14: core that stops while a removal is running waits for it and closes the device once")
    void coreStopsDuringRemoval() {
        bench.bePatient();
        holdIn("close device");
        Thread puller = bench.pullInBackground(device);
        await(inside);
        Thread stopper = background("stopper", bench.core::stop);
        await(() -> stopper.getState() == Thread.State.WAITING);

        go.countDown();

        join(puller);
        join(stopper);
        assertThat(device.closes).hasValue(1);
    }

    @Test
    @DisplayName("C7: a request that is being taken when its listener's device goes is accepted by nobody")
    void acceptInTheCallbackOfADeviceThatGoes() {
        bench.bePatient();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Probe probe = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            consumer.queuePair(event.id());
            inside.countDown();
            await(go);
            try {
                event.id().accept(ConnectionParameters.defaults());
            } catch (RdmaException refused) {
                thrown.set(refused);
            }
            return Verdict.KEEP;
        });
        consumer.listening(probe);
        ScriptedEndpoint request = device.listeners.get(0).request();
        await(inside);
        Thread puller = bench.pullInBackground(device);
        await(() -> bench.step("d0") == RemovalSnapshot.Step.WAITING_FOR_CONSUMERS);

        go.countDown();

        join(puller);
        assertThat(thrown.get()).isInstanceOf(DeviceRemovedException.class);
        assertThat(request.calls).doesNotContain("accept").containsOnlyOnce("close");
        assertThat(probe.types()).containsExactly(CmEventType.CONNECT_REQUEST, CmEventType.DEVICE_REMOVAL);
    }

    @Test
    @DisplayName("C10: thousands of ids are told at once, each once, and the removal blames nobody who let go")
    void thousandsOfIds() {
        bench.core.configure(Bench.PATIENT_WITH_PROVIDERS);
        List<Probe> probes =
                java.util.stream.Stream.generate(Probe::new).limit(5_000).toList();
        int number = 0;
        for (Probe probe : probes) {
            boolean destroys = number++ % 2 == 0;
            CmId id = consumer.id(
                    probe.on(CmEventType.DEVICE_REMOVAL, event -> destroys ? Verdict.DESTROY : Verdict.KEEP));
            run(() -> id.resolveAddress(null, PEER, LONG));
        }
        bench.bePatient();

        bench.pull(device);

        assertThat(probes).allSatisfy(probe -> assertThat(probe.types()).containsExactly(CmEventType.DEVICE_REMOVAL));
        assertThat(bench.forcedBundles()).isEmpty();
        assertThat(device.live).hasValue(0);
        CmId late = consumer.id(new Probe());
        late.destroy();
        awaitDestroyed(late);
    }

    @Test
    @DisplayName("C11: an address that has moved twice is listened on when both former devices have let go of it")
    void addressMovesTwice() {
        consumer.listening(new Probe());
        await(() -> !device.listeners.isEmpty());
        holdIn("close listener");
        ScriptedDevice second = new ScriptedDevice("d1", Bench.LOCAL);
        bench.offer(second, 1);
        await(inside);
        // The second has waited long enough for the first, which does not let go of the address.
        await(() -> !second.listeners.isEmpty());
        bench.bePatient();
        CoreConfiguration patient = Bench.PATIENT;
        bench.core.configure(new CoreConfiguration(
                patient.removalDeadline(),
                patient.serviceDeadline(),
                patient.hungLimit(),
                patient.blockedCallbacks(),
                patient.blockedAfter(),
                Duration.ofHours(1)));
        ScriptedDevice third = new ScriptedDevice("d2", Bench.LOCAL);
        bench.offer(third, 2);
        await(() -> second.listeners.get(0).closed);

        await(() -> Thread.getAllStackTraces().values().stream().anyMatch(stack -> java.util.Arrays.stream(stack)
                .anyMatch(frame -> frame.getMethodName().equals("awaitClosed"))));

        assertThat(third.listeners).isEmpty();
        go.countDown();
        await(() -> !third.listeners.isEmpty());
    }
}
