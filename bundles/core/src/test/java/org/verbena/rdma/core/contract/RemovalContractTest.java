package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.verbena.rdma.core.contract.Bench.await;
import static org.verbena.rdma.core.contract.Bench.background;
import static org.verbena.rdma.core.contract.Bench.endpoint;
import static org.verbena.rdma.core.contract.Bench.join;
import static org.verbena.rdma.core.contract.Bench.run;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.PathQuery;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.ScriptedDevice.ScriptedEndpoint;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** The lines of the contract that are about removal: C7 to C12, C16, C17, C20. */
class RemovalContractTest {
    private final Bench bench = new Bench();
    private final ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
    private final Bench.Consumer consumer = bench.consumer("consumer");

    @AfterEach
    void stop() {
        bench.close();
        assertThat(device.violations).isEmpty();
    }

    @Test
    @DisplayName("C7: each id on the device gets one DEVICE_REMOVAL behind its earlier events and nothing after it")
    void oneRemoval() {
        bench.bePatient();
        CountDownLatch go = bench.latch();
        Probe probe = new Probe()
                .on(CmEventType.ROUTE_RESOLVED, event -> {
                    await(go);
                    return Verdict.KEEP;
                })
                .on(CmEventType.DEVICE_REMOVAL, event -> {
                    endpoint(device).upcalls.disconnected(RdmaError.SUCCESS);
                    return Verdict.KEEP;
                });
        Probe unbound = new Probe();
        CmId idle = consumer.id(unbound);
        CmId id = consumer.resolved(device, probe);
        run(() -> id.resolveRoute(Duration.ofSeconds(5)));
        ScriptedEndpoint endpoint = endpoint(device);
        endpoint.upcalls.routeResolved();
        await(() -> probe.count(CmEventType.ROUTE_RESOLVED) == 1);
        endpoint.upcalls.addressChanged();
        Thread puller = bench.pullInBackground(device);
        await(() -> step("d0") == RemovalSnapshot.Step.WAITING_FOR_CONSUMERS);
        endpoint.upcalls.addressChanged();
        endpoint.upcalls.disconnected(RdmaError.SUCCESS);
        go.countDown();
        join(puller);
        assertThat(probe.types())
                .containsExactly(
                        CmEventType.ADDR_RESOLVED,
                        CmEventType.ROUTE_RESOLVED,
                        CmEventType.ADDR_CHANGE,
                        CmEventType.DEVICE_REMOVAL);
        assertThat(unbound.events).isEmpty();
        assertThat(idle.state()).isEqualTo(CmState.IDLE);
    }

    @Test
    @DisplayName(
            "C7: a request that was not delivered when its device goes is refused, and its consumer never hears of it")
    void undeliveredRequest() {
        bench.bePatient();
        CountDownLatch go = bench.latch();
        Probe probe = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            await(go);
            return Verdict.KEEP;
        });
        consumer.listening(probe);
        device.listeners.get(0).request();
        await(probe.entered);
        ScriptedEndpoint undelivered = device.listeners.get(0).request();
        Thread puller = bench.pullInBackground(device);
        await(() -> undelivered.closed);
        go.countDown();
        join(puller);
        probe.await(CmEventType.DEVICE_REMOVAL);
        assertThat(probe.types()).containsExactly(CmEventType.CONNECT_REQUEST, CmEventType.DEVICE_REMOVAL);
        assertThat(device.live).hasValue(0);
    }

    @Test
    @DisplayName("C8: an id that is being destroyed gets no DEVICE_REMOVAL, and is closed once")
    void destroyWins() {
        bench.bePatient();
        CountDownLatch go = bench.latch();
        Probe probe = new Probe().on(CmEventType.ROUTE_RESOLVED, event -> {
            await(go);
            return Verdict.DESTROY;
        });
        CmId id = consumer.resolved(device, probe);
        run(() -> id.resolveRoute(Duration.ofSeconds(5)));
        endpoint(device).upcalls.routeResolved();
        await(() -> probe.count(CmEventType.ROUTE_RESOLVED) == 1);
        Thread destroyer = background("destroyer", id::destroy);
        await(() -> destroyer.getState() == Thread.State.WAITING);
        Thread puller = bench.pullInBackground(device);
        await(() -> step("d0") == RemovalSnapshot.Step.WAITING_FOR_CONSUMERS);
        go.countDown();
        join(puller);
        join(destroyer);
        assertThat(probe.types()).doesNotContain(CmEventType.DEVICE_REMOVAL);
        assertThat(endpoint(device).calls).containsOnlyOnce("close");
    }

    @Test
    @DisplayName("C8: DESTROY from DEVICE_REMOVAL lets the removal end at once, and destroy afterwards does nothing")
    void destroyOnRemoval() {
        Probe probe = new Probe().on(CmEventType.DEVICE_REMOVAL, event -> Verdict.DESTROY);
        CmId id = consumer.established(device, probe);
        bench.pull(device);
        id.destroy();
        assertThat(endpoint(device).calls).containsOnlyOnce("close");
        assertThat(device.live).hasValue(0);
        assertThat(device.closes).hasValue(1);
    }

    @Test
    @DisplayName("C9: unregistration returns when all is closed; an id in its callback outlives it as a shell")
    void shell() {
        CountDownLatch go = bench.latch();
        Probe probe = new Probe().on(CmEventType.ESTABLISHED, event -> {
            await(go);
            return Verdict.KEEP;
        });
        CmId id = consumer.routed(device, probe);
        Bench.Verbs verbs = consumer.queuePair(id);
        run(() -> id.connect(ConnectionParameters.defaults()));
        endpoint(device).upcalls.established(ConnectionParameters.defaults());
        await(() -> probe.count(CmEventType.ESTABLISHED) == 1);
        bench.pull(device);
        assertThat(device.live).hasValue(0);
        assertThat(device.closes).hasValue(1);
        assertThat(probe.count(CmEventType.DEVICE_REMOVAL)).isZero();
        assertThatThrownBy(id::disconnect).isInstanceOf(DeviceRemovedException.class);
        assertThat(verbs.queuePair().isOpen()).isFalse();
        go.countDown();
        probe.await(CmEventType.DEVICE_REMOVAL);
        await(() -> id.destroyed().toCompletableFuture().isDone());
    }

    @Test
    @DisplayName("C9: a callback that takes the device away itself is not waited for")
    void ownCallback() {
        CountDownLatch pulled = bench.latch();
        AtomicReference<Long> millis = new AtomicReference<>();
        Probe probe = new Probe().on(CmEventType.ROUTE_RESOLVED, event -> {
            long start = System.nanoTime();
            bench.pull(device);
            millis.set((System.nanoTime() - start) / 1_000_000);
            pulled.countDown();
            return Verdict.KEEP;
        });
        CmId id = consumer.resolved(device, probe);
        run(() -> id.resolveRoute(Duration.ofSeconds(5)));
        endpoint(device).upcalls.routeResolved();
        await(pulled);
        assertThat(device.closes).hasValue(1);
        probe.await(CmEventType.DEVICE_REMOVAL);
        assertThat(forcedBundles()).isEmpty();
    }

    @Test
    @DisplayName("C9: a thread inside the provider is waited for before anything is closed")
    void threadInside() {
        bench.core.configure(Bench.PATIENT_WITH_PROVIDERS);
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        CmId id = consumer.resolved(device, new Probe());
        device.on("resolveRoute", () -> {
            inside.countDown();
            await(go);
        });
        Thread caller = background("caller", () -> run(() -> id.resolveRoute(Duration.ofSeconds(5))));
        await(inside);
        Thread puller = bench.pullInBackground(device);
        await(() -> step("d0") == RemovalSnapshot.Step.WAITING_FOR_PROVIDER);
        assertThat(device.live.get()).isPositive();
        assertThat(device.closes).hasValue(0);
        go.countDown();
        join(puller);
        join(caller);
        assertThat(device.live).hasValue(0);
        assertThat(device.closes).hasValue(1);
    }

    @Test
    @DisplayName("C9: an upcall under way is waited for too")
    void upcallInside() {
        bench.bePatient();
        CountDownLatch go = bench.latch();
        CountDownLatch inside = bench.latch();
        consumer.listening(new Probe());
        // A request's endpoint that core asks for its addresses while the upcall runs.
        Thread upcall = background("upcall", () -> device.listeners
                .get(0)
                .upcalls
                .request(new BlockingEndpoint(inside, go), ConnectionParameters.defaults()));
        await(inside);
        Thread puller = bench.pullInBackground(device);
        await(() -> step("d0") == RemovalSnapshot.Step.WAITING_FOR_PROVIDER);
        assertThat(device.closes).hasValue(0);
        go.countDown();
        join(puller);
        join(upcall);
        assertThat(device.closes).hasValue(1);
    }

    @Test
    @DisplayName(
            "C9: an id destroyed while its device is revoked leaves its endpoint to the removal, behind its queue pair")
    void destroyedDuringRevocation() {
        try (Bench patient = new Bench(new CoreConfiguration(
                Duration.ofMillis(100),
                Duration.ofMillis(100),
                Duration.ofSeconds(20),
                4,
                Duration.ofMillis(100),
                Duration.ofMillis(50)))) {
            ScriptedDevice revoked = patient.plug("d1", Bench.LOCAL);
            Bench.Consumer other = patient.consumer("other");
            CmId id = other.routed(revoked, new Probe());
            Bench.Verbs verbs = other.queuePair(id);
            verbs.postReceive(1);
            CountDownLatch inside = patient.latch();
            CountDownLatch go = patient.latch();
            revoked.on("poll", () -> {
                inside.countDown();
                await(go);
            });
            Thread poller = background(
                    "poller", () -> run(() -> verbs.queue().poll(verbs.queue().createWorkCompletions(1))));
            await(inside);
            Thread puller = patient.pullInBackground(revoked);
            // From here until the poller is back the verbs are shut, and the device is not.
            await(() -> !id.queuePair().isOpen());

            id.destroy();

            go.countDown();
            join(puller);
            join(poller);
            assertThat(revoked.live).hasValue(0);
            assertThat(revoked.violations).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "C10: who keeps its id with work outstanding is forced at the deadline and named; flushed work can be read")
    void keepingIsForced() {
        Probe keeping = new Probe();
        CmId id = consumer.established(device, keeping);
        Bench.Verbs verbs = new Bench.Verbs(id.queuePair().protectionDomain(), null, id.queuePair());
        verbs.postReceive(41);
        verbs.postReceive(42);
        Bench.Consumer good = bench.consumer("good");
        good.established(device, new Probe().on(CmEventType.DEVICE_REMOVAL, event -> Verdict.DESTROY));
        bench.pull(device);
        assertThat(forcedBundles()).containsExactly("consumer");
        assertThat(device.live).hasValue(0);
        assertThat(id.queuePair().isOpen()).isFalse();
        assertThatThrownBy(() -> verbs.queuePair().fail()).isInstanceOf(DeviceRemovedException.class);
    }

    @Test
    @DisplayName("C10: completions that a removal has flushed stay readable, in order, and then the queue throws")
    void flushedStayReadable() {
        CmId id = consumer.routed(device, new Probe());
        Bench.Verbs verbs = consumer.queuePair(id);
        run(() -> id.connect(ConnectionParameters.defaults()));
        endpoint(device).upcalls.established(ConnectionParameters.defaults());
        for (int i = 1; i <= 5; i++) {
            verbs.postReceive(i);
        }
        bench.pull(device);
        var completions = verbs.queue().createWorkCompletions(3);
        List<Long> read = new ArrayList<>();
        for (int n = Bench.call(() -> verbs.queue().poll(completions)); read.size() < 5; ) {
            for (int i = 0; i < n; i++) {
                read.add(completions.workRequestId(i));
            }
            if (read.size() < 5) {
                n = Bench.call(() -> verbs.queue().poll(completions));
            }
        }
        assertThat(read).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThatThrownBy(() -> verbs.queue().poll(completions)).isInstanceOf(DeviceRemovedException.class);
    }

    @Test
    @DisplayName("C10: ignoring is free: an id that answers KEEP and has no work is let go without waiting or blame")
    void ignoringIsFree() {
        CmId id = consumer.established(device, new Probe());
        // With the deadline far away only the free way ends the removal.
        bench.core.configure(new org.verbena.rdma.core.CoreConfiguration(
                Duration.ofHours(1),
                Duration.ofMillis(100),
                Duration.ofSeconds(10),
                4,
                Duration.ofSeconds(1),
                Duration.ofMillis(50)));
        Thread puller = bench.pullInBackground(device);
        join(puller);
        await(() -> id.destroyed().toCompletableFuture().isDone());
        assertThat(forcedBundles()).isEmpty();
        bench.core.configure(Bench.QUICK);
    }

    @Test
    @DisplayName("C10: the device service goes first, then the ids are told, then the provider's objects are closed")
    void orderOfSteps() {
        List<String> seen = java.util.Collections.synchronizedList(new ArrayList<>());
        bench.publisher.whenUnpublished = () -> seen.add("service");
        device.on("close endpoint", () -> seen.add("endpoint"));
        device.on("close device", () -> seen.add("device"));
        consumer.established(device, new Probe().on(CmEventType.DEVICE_REMOVAL, event -> {
                    seen.add("told");
                    return Verdict.DESTROY;
                }));
        bench.pull(device);
        assertThat(seen).containsExactly("service", "told", "endpoint", "device");
    }

    @Test
    @DisplayName("C10: from the first step on nothing new can be made on the device")
    void nothingNew() {
        bench.bePatient();
        CountDownLatch go = bench.latch();
        CountDownLatch inside = bench.latch();
        RdmaDevice view = consumer.device("d0");
        CmId routed = consumer.routed(device, new Probe());
        CmId resolved = consumer.resolved(device, new Probe());
        CmId bound = consumer.id(new Probe());
        run(() -> bound.bindAddress(new InetSocketAddress(Bench.LOCAL, 0)));
        AtomicReference<CmId> child = new AtomicReference<>();
        Probe requested = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            child.set(event.id());
            return Verdict.KEEP;
        });
        consumer.listening(requested);
        ScriptedEndpoint request = device.listeners.get(0).request();
        requested.await(CmEventType.CONNECT_REQUEST);
        consumer.queuePair(child.get());
        bench.publisher.whenUnpublished = () -> {
            inside.countDown();
            await(go);
        };
        Thread puller = bench.pullInBackground(device);
        await(inside);
        CmId fresh = consumer.id(new Probe());
        assertThatThrownBy(() -> fresh.bindAddress(new InetSocketAddress(Bench.LOCAL, 0)))
                .isInstanceOf(RdmaException.class);
        assertThatThrownBy(view::createProtectionDomain).isInstanceOf(DeviceRemovedException.class);
        assertThatThrownBy(() -> routed.connect(ConnectionParameters.defaults()))
                .isInstanceOf(DeviceRemovedException.class);
        assertThatThrownBy(() -> resolved.resolveRoute(Duration.ofSeconds(1)))
                .isInstanceOf(DeviceRemovedException.class);
        assertThatThrownBy(() -> bound.listen(1)).isInstanceOf(DeviceRemovedException.class);
        assertThatThrownBy(() -> consumer.connectionManager.createId(PortSpace.TCP, view, new Probe()))
                .isInstanceOf(DeviceRemovedException.class);
        assertThatThrownBy(() -> child.get().accept(ConnectionParameters.defaults()))
                .isInstanceOf(DeviceRemovedException.class);
        run(() -> child.get().reject(null));
        assertThat(request.calls).containsExactly("createQueuePair", "reject");
        go.countDown();
        join(puller);
    }

    @Test
    @DisplayName("C11: a wildcard listener outlives its devices, stops on one that goes and starts on one that comes")
    void wildcardListener() {
        Probe probe = new Probe();
        CmId listener = consumer.listening(probe);
        int port = listener.localAddress().getPort();
        ScriptedDevice second = bench.plug("d1", "192.0.2.2");
        await(() -> second.listeners.size() == 1);
        assertThat(second.listeners.get(0).localAddress()).isEqualTo(new InetSocketAddress("192.0.2.2", port));
        ScriptedEndpoint child = device.listeners.get(0).request();
        assertThat(child).isNotNull();
        probe.await(CmEventType.CONNECT_REQUEST);
        bench.pull(device);
        bench.pull(second);
        assertThat(listener.state()).isEqualTo(CmState.LISTEN);
        assertThat(probe.events.stream().filter(event -> event.id() == listener))
                .isEmpty();
        ScriptedDevice back = bench.plug("d0", Bench.LOCAL);
        await(() -> back.listeners.size() == 1);
        assertThat(back.listeners.get(0).request()).isNotNull();
        await(() -> probe.count(CmEventType.CONNECT_REQUEST) == 2);
    }

    @Test
    @DisplayName("C11: children that were delivered outlive their listener")
    void childrenOutliveTheListener() {
        AtomicReference<CmId> child = new AtomicReference<>();
        Probe probe = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            child.set(event.id());
            return Verdict.KEEP;
        });
        CmId listener = consumer.listening(probe);
        ScriptedEndpoint endpoint = device.listeners.get(0).request();
        probe.await(CmEventType.CONNECT_REQUEST);
        listener.destroy();
        consumer.queuePair(child.get());
        run(() -> child.get().accept(ConnectionParameters.defaults()));
        endpoint.upcalls.established(ConnectionParameters.defaults());
        probe.await(CmEventType.ESTABLISHED);
        child.get().destroy();
    }

    @Test
    @DisplayName(
            "C11: a listener that cannot listen on a device that comes tries again by itself, and the owner is not told")
    void retry() {
        Probe probe = new Probe();
        CmId listener = consumer.listening(probe);
        ScriptedDevice second = new ScriptedDevice("d1", "192.0.2.2");
        AtomicInteger tries = new AtomicInteger();
        second.on("listen", () -> {
            if (tries.incrementAndGet() < 3) {
                throw new RdmaException(RdmaError.ADDRESS_IN_USE, "not now");
            }
        });
        bench.plug(second, 0);
        await(() -> second.listeners.size() == 1);
        assertThat(probe.events).isEmpty();
        assertThat(listener.state()).isEqualTo(CmState.LISTEN);
    }

    @Test
    @DisplayName("C11: an address that is not there for one try is moving; for two tries it is a failure to be shown")
    void addressMoves() {
        CmId listener = consumer.listening(new Probe());
        ScriptedDevice second = new ScriptedDevice("d1", "192.0.2.2");
        List<List<String>> shown = new CopyOnWriteArrayList<>();
        AtomicInteger tries = new AtomicInteger();
        second.on("listen", () -> {
            shown.add(failuresOf(listener));
            if (tries.incrementAndGet() < 3) {
                throw new RdmaException(RdmaError.ADDRESS_NOT_AVAILABLE, "not here");
            }
        });

        bench.plug(second, 0);

        await(() -> second.listeners.size() == 1);
        assertThat(shown.subList(0, 2)).allMatch(List::isEmpty);
        assertThat(shown.get(2)).singleElement().asString().contains("not here");
        await(() -> failuresOf(listener).isEmpty());
    }

    private List<String> failuresOf(CmId listener) {
        return bench.core.monitor().snapshot().listeners().stream()
                .filter(known ->
                        listener.toString().contains(String.valueOf(known.id().number())))
                .flatMap(known -> known.failures().stream())
                .toList();
    }

    @Test
    @DisplayName("C12: when a session has ended everything made through it is gone and none of its code is called")
    void sessionEnds() {
        CountDownLatch go = bench.latch();
        Probe probe = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            await(go);
            return Verdict.KEEP;
        });
        consumer.listening(probe);
        Probe connected = new Probe();
        CmId id = consumer.established(device, connected);
        ScriptedEndpoint endpoint = endpoint(device);
        device.listeners.get(0).request();
        await(probe.entered);
        ScriptedEndpoint undelivered = device.listeners.get(0).request();
        Thread ender = background("ender", consumer::end);
        await(() -> endpoint.closed && undelivered.closed);
        go.countDown();
        join(ender);
        assertThat(device.live).hasValue(0);
        assertThat(id.destroyed().toCompletableFuture()).isDone();
        endpoint.upcalls.disconnected(RdmaError.SUCCESS);
        assertThat(connected.types()).doesNotContain(CmEventType.DISCONNECTED);
        assertThatThrownBy(() -> consumer.connectionManager.createId(PortSpace.TCP, probe))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("session");
    }

    @Test
    @DisplayName("C12: a callback that does not end is waited for at most the deadline")
    void sessionEndsInTime() {
        CountDownLatch go = bench.latch();
        Probe probe = new Probe().on(CmEventType.ADDR_RESOLVED, event -> {
            await(go);
            return Verdict.KEEP;
        });
        CmId id = consumer.id(probe);
        run(() -> id.resolveAddress(null, new InetSocketAddress(Bench.REMOTE, 1), Duration.ofSeconds(5)));
        endpoint(device).upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
        await(probe.entered);
        Thread ender = background("ender", consumer::end);
        join(ender);
        go.countDown();
        await(() -> id.destroyed().toCompletableFuture().isDone());
        assertThat(probe.events).hasSize(1);
    }

    @Test
    @DisplayName(
            "C14: a destroy that waits for a callback of a removed device ends at the deadline and names who it is")
    void destroyIsBroken() {
        CountDownLatch go = bench.latch();
        Probe probe = new Probe().on(CmEventType.ROUTE_RESOLVED, event -> {
            await(go);
            return Verdict.KEEP;
        });
        CmId id = consumer.resolved(device, probe);
        run(() -> id.resolveRoute(Duration.ofSeconds(5)));
        endpoint(device).upcalls.routeResolved();
        await(() -> probe.count(CmEventType.ROUTE_RESOLVED) == 1);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        bench.publisher.whenUnpublished = () -> {
            // A component that destroys its id when it is deactivated, on the thread that removes the device.
            try {
                id.destroy();
            } catch (IllegalStateException broken) {
                thrown.set(broken);
            }
        };
        bench.pull(device);
        assertThat(thrown.get())
                .hasMessageContaining("consumer")
                .hasMessageContaining(
                        probe.threads.get(probe.threads.size() - 1).getName());
        go.countDown();
        await(() -> id.destroyed().toCompletableFuture().isDone());
    }

    @Test
    @DisplayName("C14: removals that nest, from callbacks that take each other's device away, end")
    void nestedRemovals() {
        ScriptedDevice second = bench.plug("d1", "192.0.2.2");
        CountDownLatch both = new CountDownLatch(2);
        Probe first = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            both.countDown();
            await(both);
            bench.pull(second);
            return Verdict.KEEP;
        });
        Probe other = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            both.countDown();
            await(both);
            bench.pull(device);
            return Verdict.KEEP;
        });
        CmId one = consumer.id(first);
        run(() -> {
            one.bindAddress(new InetSocketAddress(Bench.LOCAL, 0));
            one.listen(1);
        });
        CmId two = bench.consumer("other").id(other);
        run(() -> {
            two.bindAddress(new InetSocketAddress("192.0.2.2", 0));
            two.listen(1);
        });
        device.listeners.get(0).request();
        second.listeners.get(0).request();
        await(() -> device.closes.get() == 1 && second.closes.get() == 1);
        await(() -> first.count(CmEventType.DEVICE_REMOVAL) > 0 && other.count(CmEventType.DEVICE_REMOVAL) > 0);
        assertThat(second.violations).isEmpty();
    }

    @Test
    @DisplayName("C16: a path query completes once: with the answer, by time, by cancel, and by removal before its end")
    void pathQuery() throws Exception {
        RdmaDevice view = consumer.device("d0");
        var local = java.net.InetAddress.getByName(Bench.LOCAL);
        var remote = java.net.InetAddress.getByName(Bench.REMOTE);
        PathQuery answered = view.queryPath(local, remote, Duration.ofSeconds(20));
        await(() -> device.queries.size() == 1);
        device.queries.get(0).upcalls.found(new org.verbena.rdma.Path(local, remote, 1500, 0, 0, 1, Duration.ZERO));
        device.queries.get(0).upcalls.failed(RdmaError.TIMED_OUT);
        assertThat(answered.path().toCompletableFuture().join().mtu()).isEqualTo(1500);
        assertThat(answered.cancel()).isFalse();

        PathQuery late = view.queryPath(local, remote, Duration.ofMillis(20));
        assertThat(errorOf(late)).isEqualTo(RdmaError.TIMED_OUT);

        PathQuery cancelled = view.queryPath(local, remote, Duration.ofSeconds(20));
        assertThat(cancelled.cancel()).isTrue();
        assertThat(errorOf(cancelled)).isEqualTo(RdmaError.CANCELLED);

        CountDownLatch go = bench.latch();
        CountDownLatch inside = bench.latch();
        device.on("queryPath", () -> {
            inside.countDown();
            await(go);
        });
        PathQuery hanging = view.queryPath(local, remote, Duration.ofSeconds(20));
        AtomicReference<String> continuation = new AtomicReference<>();
        hanging.path()
                .whenComplete(
                        (path, error) -> continuation.set(Thread.currentThread().getName()));
        await(inside);
        Thread puller = bench.pullInBackground(device);
        assertThat(errorOf(hanging)).isEqualTo(RdmaError.CANCELLED);
        await(() -> continuation.get() != null);
        assertThat(continuation.get()).startsWith("verbena-callback");
        go.countDown();
        join(puller);
        assertThat(device.live).hasValue(0);
    }

    private static RdmaError errorOf(PathQuery query) {
        try {
            query.path().toCompletableFuture().join();
            return RdmaError.SUCCESS;
        } catch (CompletionException failed) {
            return ((RdmaException) failed.getCause()).error();
        }
    }

    @Test
    @DisplayName("C17: late upcalls of a device that is gone are refused")
    void lateUpcalls() {
        Probe probe = new Probe();
        consumer.listening(probe);
        Probe connected = new Probe();
        consumer.established(device, connected);
        ScriptedEndpoint endpoint = endpoint(device);
        var listener = device.listeners.get(0);
        bench.pull(device);
        assertThat(listener.request()).isNull();
        endpoint.upcalls.disconnected(RdmaError.SUCCESS);
        endpoint.upcalls.addressChanged();
        device.upcalls.addressesChanged();
        device.upcalls.gone();
        assertThat(probe.events).isEmpty();
        assertThat(connected.types()).doesNotContain(CmEventType.DISCONNECTED);
    }

    @Test
    @DisplayName("C17: a request that comes while the device is going is refused")
    void lateRequest() {
        CountDownLatch go = bench.latch();
        CountDownLatch inside = bench.latch();
        Probe probe = new Probe();
        consumer.listening(probe);
        bench.publisher.whenUnpublished = () -> {
            inside.countDown();
            await(go);
        };
        Thread puller = bench.pullInBackground(device);
        await(inside);
        assertThat(device.listeners.get(0).request()).isNull();
        go.countDown();
        join(puller);
        assertThat(probe.events).isEmpty();
    }

    @Test
    @DisplayName("C20: stopping core removes all devices and leaves them as they were; another core serves them again")
    void coreStops() {
        Probe probe = new Probe();
        consumer.established(device, probe);
        consumer.listening(new Probe());
        bench.core.stop();
        assertThat(probe.count(CmEventType.DEVICE_REMOVAL)).isEqualTo(1);
        assertThat(device.live).hasValue(0);
        assertThat(device.closes).hasValue(1);
        try (Bench next = new Bench()) {
            next.plug(device, 0);
            next.consumer("consumer").established(device, new Probe());
        }
        assertThat(device.opens).hasValue(2);
        assertThat(device.closes).hasValue(2);
    }

    @Test
    @DisplayName("A call into the provider that hangs beyond the limit makes the device abandoned, and the JVM lives")
    void abandoned() {
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        CmId id = consumer.resolved(device, new Probe());
        device.on("resolveRoute", () -> {
            inside.countDown();
            await(go);
        });
        Thread caller = background("hung caller", () -> run(() -> id.resolveRoute(Duration.ofSeconds(5))));
        await(inside);
        bench.pull(device);
        assertThat(device.closes).hasValue(0);
        go.countDown();
        join(caller);
        assertThat(device.closes).hasValue(0);
        assertThatThrownBy(id::disconnect).isInstanceOfAny(IllegalStateException.class, RdmaException.class);
    }

    @Test
    @DisplayName("unplug is a full removal while the provider's service stays, plug brings the device back")
    void unplugAndPlug() throws RdmaException {
        consumer.established(device, new Probe());
        bench.core.monitor().unplug("d0").toCompletableFuture().join();
        assertThat(device.closes).hasValue(1);
        assertThat(bench.core.monitor().snapshot().devices())
                .extracting(DeviceSnapshot::condition)
                .containsExactly(DeviceSnapshot.Condition.UNPLUGGED);
        assertThatThrownBy(() -> bench.core.monitor().unplug("d0")).hasMessageContaining("d0 (unplugged)");
        bench.core.monitor().plug("d0").toCompletableFuture().join();
        assertThat(device.opens).hasValue(2);
        consumer.established(device, new Probe());
    }

    @Test
    @DisplayName("A device that comes and goes while it is being added leaves nothing behind")
    void goesWhileItComes() {
        CountDownLatch opening = bench.latch();
        CountDownLatch go = bench.latch();
        ScriptedDevice hasty = new ScriptedDevice("d9", "192.0.2.9");
        hasty.on("open", () -> {
            opening.countDown();
            await(go);
        });
        var slot = bench.offer(hasty, 0);
        await(opening);
        Thread puller = background("puller", () -> bench.pull(hasty));
        await(() -> puller.getState() == Thread.State.TIMED_WAITING);
        go.countDown();
        join(puller);
        assertThat(hasty.closes).hasValue(hasty.opens.get());
        assertThat(slot.device()).isNull();
        assertThat(bench.publisher.published).doesNotContain("d9");
        assertThat(hasty.violations).isEmpty();
    }

    @Test
    @DisplayName("Of two devices with one address the higher ranking serves it, and the other takes over when it goes")
    void shadowing() {
        ScriptedDevice better = new ScriptedDevice("better", Bench.LOCAL);
        bench.plug(better, 10);
        CmId listener = consumer.listening(new Probe());
        assertThat(listener.state()).isEqualTo(CmState.LISTEN);
        assertThat(better.listeners).hasSize(1);
        assertThat(device.listeners).isEmpty();
        assertThat(bench.core.monitor().snapshot().devices().stream()
                        .filter(snapshot -> snapshot.name().equals("d0"))
                        .findFirst()
                        .orElseThrow()
                        .shadowed())
                .containsExactly(Bench.LOCAL);
        bench.pull(better);
        await(() -> device.listeners.size() == 1);
        assertThat(better.violations).isEmpty();
    }

    private RemovalSnapshot.Step step(String name) {
        return bench.core.monitor().snapshot().removals().stream()
                .filter(removal -> removal.device().equals(name))
                .map(RemovalSnapshot::step)
                .findFirst()
                .orElse(null);
    }

    private List<String> forcedBundles() {
        return bench.core.monitor().snapshot().consumers().stream()
                .filter(snapshot -> snapshot.forced() > 0)
                .map(org.verbena.rdma.monitor.ConsumerSnapshot::bundle)
                .toList();
    }
}
