package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.verbena.rdma.core.contract.Bench.await;
import static org.verbena.rdma.core.contract.Bench.background;
import static org.verbena.rdma.core.contract.Bench.endpoint;
import static org.verbena.rdma.core.contract.Bench.join;
import static org.verbena.rdma.core.contract.Bench.passLane;
import static org.verbena.rdma.core.contract.Bench.run;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.PathQuery;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.ScriptedDevice.ScriptedEndpoint;
import org.verbena.rdma.core.session.SessionMember;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.MonitorListener;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** What the other tests of C7 to C20 leave open: each of these fails with a small break of core that they let pass. */
class EndContractTest {
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

    @Test
    @DisplayName("C7: an id that keeps its connection after DEVICE_REMOVAL is told nothing more")
    void nothingAfterRemoval() {
        bench.bePatient();
        Probe probe = new Probe();
        CmId id = consumer.routed(device, probe);
        Bench.Verbs verbs = consumer.queuePair(id);
        run(() -> id.connect(org.verbena.rdma.cm.ConnectionParameters.defaults()));
        ScriptedEndpoint endpoint = endpoint(device);
        endpoint.upcalls.established(org.verbena.rdma.cm.ConnectionParameters.defaults());
        probe.await(CmEventType.ESTABLISHED);
        verbs.postReceive(1);
        Thread puller = bench.pullInBackground(device);
        probe.await(CmEventType.DEVICE_REMOVAL);

        endpoint.upcalls.addressChanged();
        endpoint.upcalls.disconnected(RdmaError.SUCCESS);
        passLane(consumer);

        assertThat(probe.types()).endsWith(CmEventType.ESTABLISHED, CmEventType.DEVICE_REMOVAL);
        id.destroy();
        join(puller);
        assertThat(bench.forcedBundles()).isEmpty();
    }

    @Test
    @DisplayName("C9: when a removal is over, no id of the device is left and its port is free")
    void nothingIsLeft() throws Exception {
        InetSocketAddress own = new InetSocketAddress("192.0.2.2", 7174);
        for (int round = 0; round < 1_000; round++) {
            ScriptedDevice going = bench.plug("d1", "192.0.2.2");
            CmId id = consumer.id(new Probe().on(CmEventType.DEVICE_REMOVAL, event -> Verdict.DESTROY));
            id.bindAddress(own);

            bench.pull(going);

            assertThat(bench.core.monitor().snapshot().ids()).isEmpty();
            CmId next = consumer.id(new Probe());
            next.bindAddress(new InetSocketAddress(7174));
            next.destroy();
        }
    }

    @Test
    @DisplayName("C9: nothing is left of a request that comes while its device goes")
    void requestMeetsRemoval() throws Exception {
        CmId listener = consumer.id(new Probe());
        listener.bindAddress(new InetSocketAddress(7174));
        listener.listen(16);
        for (int round = 0; round < 1_000; round++) {
            ScriptedDevice going = bench.plug("d1", "192.0.2.2");
            await(() -> going.listeners.size() == 1);
            CountDownLatch start = new CountDownLatch(2);
            Thread peer = background("peer", () -> {
                start.countDown();
                await(start);
                for (int i = 0; i < 8; i++) {
                    going.listeners.get(0).request();
                }
            });
            start.countDown();
            await(start);

            bench.pull(going);

            join(peer);
            assertThat(bench.core.monitor().snapshot().connections()).isEmpty();
        }
    }

    @Test
    @DisplayName("C7: an id that a failing call takes off its device meanwhile is not told of the removal")
    void unboundMeanwhile() {
        bench.bePatient();
        AtomicReference<Thread> puller = new AtomicReference<>();
        Probe probe = new Probe();
        CmId id = consumer.id(probe);
        device.on("resolve", () -> {
            puller.set(bench.pullInBackground(device));
            await(() -> bench.step("d0") == RemovalSnapshot.Step.WAITING_FOR_CONSUMERS);
            throw new RdmaException(RdmaError.NO_MEMORY, "full");
        });

        assertThatThrownBy(() -> id.resolveAddress(null, PEER, LONG)).isInstanceOf(RdmaException.class);

        join(puller.get());
        passLane(consumer);
        assertThat(probe.events).isEmpty();
        assertThat(id.state()).isEqualTo(CmState.IDLE);
        bench.plug("d1", Bench.LOCAL);
        run(() -> id.resolveAddress(null, PEER, LONG));
    }

    @Test
    @DisplayName("C10: all ids are told at once, whatever the first does, and nothing is begun on a device that goes")
    void allAtOnce() throws Exception {
        bench.bePatient();
        CountDownLatch go = bench.latch();
        AtomicReference<CmId> child = new AtomicReference<>();
        Probe listening = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            child.set(event.id());
            return Verdict.KEEP;
        });
        consumer.listening(listening);
        device.listeners.get(0).request();
        listening.await(CmEventType.CONNECT_REQUEST);
        consumer.queuePair(child.get());
        var view = consumer.device("d0");
        List<Probe> probes = List.of(new Probe(), new Probe(), new Probe());
        for (Probe probe : probes) {
            consumer.resolved(device, probe.on(CmEventType.DEVICE_REMOVAL, event -> {
                await(go);
                return Verdict.KEEP;
            }));
        }

        Thread puller = bench.pullInBackground(device);

        for (Probe probe : probes) {
            await(() -> probe.count(CmEventType.DEVICE_REMOVAL) == 1);
        }
        assertThatThrownBy(() -> child.get().accept(org.verbena.rdma.cm.ConnectionParameters.defaults()))
                .isInstanceOfAny(org.verbena.rdma.DeviceRemovedException.class, IllegalStateException.class);
        assertThat(device.endpoints.get(0).calls).doesNotContain("accept");
        assertThatThrownBy(() ->
                        view.queryPath(InetAddress.getByName(Bench.LOCAL), InetAddress.getByName(Bench.REMOTE), LONG))
                .isInstanceOf(org.verbena.rdma.DeviceRemovedException.class);
        go.countDown();
        join(puller);
    }

    @Test
    @DisplayName("C10: ids are told although a component does not come back from its deactivation")
    void deactivationThatBlocks() {
        CountDownLatch go = bench.latch();
        bench.publisher.whenUnpublished = () -> await(go);
        Probe probe = new Probe().on(CmEventType.DEVICE_REMOVAL, event -> Verdict.DESTROY);
        consumer.established(device, probe);

        Thread puller = bench.pullInBackground(device);

        probe.await(CmEventType.DEVICE_REMOVAL);
        await(() -> device.closes.get() == 1);
        assertThat(puller.isAlive())
                .as("unregistration waits for the consumer on its stack")
                .isTrue();
        go.countDown();
        join(puller);
    }

    @Test
    @DisplayName("C12: no continuation of a session begins after its end, also not one that was attached before")
    void continuationAfterTheEnd() {
        AtomicBoolean ran = new AtomicBoolean();
        CmId id = consumer.id(new Probe());
        id.destroyed().thenRun(() -> ran.set(true));

        consumer.end();

        id.destroyed().thenRun(() -> ran.set(true));
        passLane(consumer);
        assertThat(ran).isFalse();
    }

    @Test
    @DisplayName("C12: what is made while the session ends is made by nobody")
    void madeWhileTheSessionEnds() {
        SessionMember late = new SessionMember() {
            @Override
            public void endWithSession() {}

            @Override
            public boolean awaitEnd(long deadlineNanos) {
                return true;
            }
        };
        consumer.session.markEnded();

        assertThatThrownBy(() -> consumer.session.add(late)).isInstanceOf(RdmaException.class);

        assertThat(consumer.session.members()).isEmpty();
    }

    @Test
    @DisplayName("C12: a path query ends with its session, at the provider too")
    void pathQueryEnds() throws Exception {
        consumer.device("d0").queryPath(InetAddress.getByName(Bench.LOCAL), InetAddress.getByName(Bench.REMOTE), LONG);
        await(() -> device.queries.size() == 1);

        consumer.end();

        await(() -> device.queries.get(0).closed);
    }

    @Test
    @DisplayName("C12: a session that ends inside of a callback waits for no other callback")
    void endsInsideOfACallback() {
        bench.bePatient();
        CountDownLatch go = bench.latch();
        CountDownLatch ended = bench.latch();
        Probe blocked = new Probe().on(CmEventType.ADDR_RESOLVED, event -> {
            await(go);
            return Verdict.KEEP;
        });
        CmId one = consumer.id(blocked);
        run(() -> one.resolveAddress(null, PEER, LONG));
        endpoint(device).upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
        await(blocked.entered);
        Probe ending = new Probe().on(CmEventType.ADDR_RESOLVED, event -> {
            consumer.end();
            ended.countDown();
            return Verdict.KEEP;
        });
        CmId two = consumer.id(ending);
        run(() -> two.resolveAddress(null, PEER, LONG));
        endpoint(device).upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 2));

        await(ended);
    }

    @Test
    @DisplayName("C12: the end of a session waits for a callback that comes back in time")
    void waitsForTheCallback() {
        bench.bePatient();
        CountDownLatch go = bench.latch();
        AtomicBoolean over = new AtomicBoolean();
        Probe probe = new Probe().on(CmEventType.ADDR_RESOLVED, event -> {
            await(go);
            over.set(true);
            return Verdict.KEEP;
        });
        CmId id = consumer.id(probe);
        run(() -> id.resolveAddress(null, PEER, LONG));
        endpoint(device).upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
        await(probe.entered);
        AtomicBoolean seen = new AtomicBoolean();
        Thread ender = background("ender", () -> {
            consumer.end();
            seen.set(over.get());
        });
        await(() -> ender.getState() == Thread.State.TIMED_WAITING);

        go.countDown();

        join(ender);
        assertThat(seen).isTrue();
    }

    @Test
    @DisplayName("C13: a blocked callback is reported when it is found, and when it goes on")
    void blockedIsReported() {
        CountDownLatch go = bench.latch();
        CountDownLatch found = bench.latch();
        CountDownLatch over = bench.latch();
        MonitorListener listener = new MonitorListener() {
            @Override
            public void callbackBlocked(ConsumerSnapshot of, String thread, boolean blocked) {
                assertThat(of.bundle()).isEqualTo("consumer");
                (blocked ? found : over).countDown();
            }
        };
        try (var registration = bench.core.monitor().addListener(listener)) {
            assertThat(registration).isNotNull();
            Probe probe = new Probe().on(CmEventType.ADDR_RESOLVED, event -> {
                await(go);
                return Verdict.KEEP;
            });
            CmId id = consumer.id(probe);
            run(() -> id.resolveAddress(null, PEER, LONG));
            endpoint(device).upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
            await(found);
            go.countDown();
            await(over);
        }
    }

    @Test
    @DisplayName("C14: a second removal of a device waits for the first")
    void secondRemoval() {
        CountDownLatch closing = bench.latch();
        CountDownLatch go = bench.latch();
        device.on("close device", () -> {
            closing.countDown();
            await(go);
        });
        bench.bePatient();
        DeviceSlot slot = bench.core.devices().slots().iterator().next();
        Thread first = background("first", () -> bench.core.devices().remove(List.of(slot), "first"));
        await(closing);
        Thread second = background("second", () -> bench.core.devices().remove(List.of(slot), "second"));
        await(() -> second.getState() == Thread.State.WAITING);
        assertThat(device.closes).hasValue(0);

        go.countDown();

        join(first);
        join(second);
        assertThat(device.closes).hasValue(1);
    }

    @Test
    @DisplayName("C20: who is shown a device finds it present, and may have it taken out")
    void presentWhenShown() {
        AtomicReference<DeviceSnapshot.Condition> told = new AtomicReference<>();
        AtomicReference<DeviceSnapshot.Condition> seen = new AtomicReference<>();
        CountDownLatch out = bench.latch();
        MonitorListener listener = new MonitorListener() {
            @Override
            public void deviceUp(DeviceSnapshot up) {
                told.compareAndSet(null, up.condition());
            }
        };
        try (var registration = bench.core.monitor().addListener(listener)) {
            assertThat(registration).isNotNull();
            bench.publisher.whenPublished = () -> {
                bench.core.monitor().snapshot().devices().stream()
                        .filter(shown -> shown.name().equals("d9"))
                        .forEach(shown -> seen.set(shown.condition()));
                run(() -> bench.core.monitor().unplug("d9").thenRun(out::countDown));
            };
            ScriptedDevice other = new ScriptedDevice("d9", "192.0.2.9");
            bench.offer(other, 0);

            await(out);

            await(() -> told.get() != null);
            assertThat(seen).hasValue(DeviceSnapshot.Condition.PRESENT);
            assertThat(told).hasValue(DeviceSnapshot.Condition.PRESENT);
            assertThat(other.closes).hasValue(1);
        }
    }

    @Test
    @DisplayName("C14: a device that is taken away on the stack of its own adding is not waited for")
    void removedOnTheStackOfItsAdding() {
        bench.bePatient();
        ScriptedDevice hasty = new ScriptedDevice("d9", "192.0.2.9");
        CountDownLatch gone = bench.latch();
        bench.publisher.whenPublished = () -> {
            bench.pull(hasty);
            gone.countDown();
        };
        CountDownLatch offered = bench.latch();
        hasty.on("open", () -> await(offered));
        DeviceSlot slot = bench.offer(hasty, 0);
        offered.countDown();

        await(gone);

        await(() -> slot.device() == null && !bench.publisher.published.contains("d9"));
        assertThat(hasty.closes).hasValue(1);
        assertThat(hasty.violations).isEmpty();
    }

    @Test
    @DisplayName("C14: an adding that hangs is waited for until the deadline, and the device is given up")
    void addingThatHangs() {
        CountDownLatch opening = bench.latch();
        CountDownLatch go = bench.latch();
        ScriptedDevice hanging = new ScriptedDevice("d9", "192.0.2.9");
        hanging.on("open", () -> {
            opening.countDown();
            await(go);
        });
        bench.offer(hanging, 0);
        await(opening);

        bench.pull(hanging);

        assertThat(hanging.closes).hasValue(0);
        assertThat(bench.core.devices().slots()).hasSize(1);
    }

    @Test
    @DisplayName("C14: an adding that comes to its end is waited for")
    void addingInProgress() {
        bench.bePatient();
        CountDownLatch opening = bench.latch();
        CountDownLatch go = bench.latch();
        ScriptedDevice slow = new ScriptedDevice("d9", "192.0.2.9");
        slow.on("open", () -> {
            opening.countDown();
            await(go);
        });
        DeviceSlot slot = bench.offer(slow, 0);
        await(opening);
        Thread puller = bench.pullInBackground(slow);
        await(() -> puller.getState() == Thread.State.TIMED_WAITING || slot.removal() != null);
        assertThat(slot.condition()).isNotEqualTo(DeviceSnapshot.Condition.REMOVING);

        go.countDown();

        join(puller);
        assertThat(slow.closes).hasValue(1);
    }

    @Test
    @DisplayName("C16: an answered query is closed at the provider, and a late answer changes no outcome")
    void answeredQuery() throws Exception {
        InetAddress local = InetAddress.getByName(Bench.LOCAL);
        InetAddress remote = InetAddress.getByName(Bench.REMOTE);
        var path = new org.verbena.rdma.Path(local, remote, 1500, 0, 0, 1, Duration.ZERO);
        PathQuery answered = consumer.device("d0").queryPath(local, remote, LONG);
        await(() -> device.queries.size() == 1);
        device.queries.get(0).upcalls.found(path);
        assertThat(answered.path().toCompletableFuture().join()).isEqualTo(path);
        await(() -> device.queries.get(0).closed);

        PathQuery cancelled = consumer.device("d0").queryPath(local, remote, LONG);
        await(() -> device.queries.size() == 2);
        assertThat(cancelled.cancel()).isTrue();
        device.queries.get(1).upcalls.found(path);
        assertThatThrownBy(() -> cancelled.path().toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(RdmaException.class);
    }

    @Test
    @DisplayName("C16: a path query may take for ever, and still ends with its device")
    void queryWithoutEnd() throws Exception {
        PathQuery query = consumer.device("d0")
                .queryPath(
                        InetAddress.getByName(Bench.LOCAL),
                        InetAddress.getByName(Bench.REMOTE),
                        Duration.ofSeconds(Long.MAX_VALUE));

        bench.pull(device);

        assertThatThrownBy(() -> query.path().toCompletableFuture().join()).hasCauseInstanceOf(RdmaException.class);
    }

    @Test
    @DisplayName("C17: what a former endpoint of an id says late is not taken for the word of its new one")
    void formerEndpoint() {
        Probe probe = new Probe();
        CmId id = consumer.id(probe);
        run(() -> id.resolveAddress(null, PEER, LONG));
        ScriptedEndpoint former = endpoint(device);
        former.upcalls.addressError(RdmaError.TIMED_OUT);
        probe.await(CmEventType.ADDR_ERROR);
        run(() -> id.resolveAddress(null, PEER, LONG));
        assertThat(endpoint(device)).isNotSameAs(former);

        former.upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 9));
        former.upcalls.addressChanged();

        passLane(consumer);
        assertThat(probe.types()).containsExactly(CmEventType.ADDR_ERROR);
        assertThat(id.state()).isEqualTo(CmState.ADDR_QUERY);
    }

    @Test
    @DisplayName("C17: a request that finds the session of its listener ended is refused and leaves nothing")
    void requestAfterTheSession() {
        Probe probe = new Probe();
        consumer.listening(probe);
        consumer.session.markEnded();

        assertThat(device.listeners.get(0).request()).isNull();

        DeviceSlot slot = bench.core.devices().slots().iterator().next();
        assertThat(slot.device().members()).isEmpty();
        consumer.end();
        assertThat(device.live).hasValue(0);
    }

    @Test
    @DisplayName("C20: core removes all devices at a time, plugs in none meanwhile, and ends sessions and threads")
    void stopsAtOnce() {
        ScriptedDevice second = bench.plug("d1", "192.0.2.2");
        CountDownLatch both = new CountDownLatch(2);
        for (ScriptedDevice each : List.of(device, second)) {
            each.on("close device", () -> {
                both.countDown();
                await(both);
            });
        }
        ScriptedDevice late = new ScriptedDevice("d2", "192.0.2.3");
        bench.publisher.whenUnpublished = () -> {
            if (bench.core.devices().slots().size() == 2) {
                bench.offer(late, 0);
            }
        };
        bench.bePatient();

        Thread stopper = background("stopper", bench.core::stop);

        join(stopper);
        assertThat(device.closes).hasValue(1);
        assertThat(second.closes).hasValue(1);
        assertThat(late.opens).hasValue(0);
        assertThatThrownBy(() -> consumer.connectionManager.createId(PortSpace.TCP, new Probe()))
                .hasMessageContaining("session");
        assertThatThrownBy(() -> bench.core.dispatcher().core().execute(() -> {}))
                .isInstanceOf(java.util.concurrent.RejectedExecutionException.class);
        assertThat(second.violations).isEmpty();
    }
}
