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

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.ScriptedDevice.ScriptedEndpoint;

/** What the other tests of C1 to C6 leave open: each of these fails with a small break of core that they let pass. */
class OrderContractTest {
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

    /** A delivered request, with a queue pair. */
    private CmId requested(Probe probe) {
        AtomicReference<CmId> child = new AtomicReference<>();
        consumer.listening(probe.on(CmEventType.CONNECT_REQUEST, event -> {
            child.set(event.id());
            return Verdict.KEEP;
        }));
        device.listeners.get(0).request();
        probe.await(CmEventType.CONNECT_REQUEST);
        consumer.queuePair(child.get());
        return child.get();
    }

    @Test
    @DisplayName("C2: what comes while accept is inside the provider waits until it has returned")
    void insideAccept() {
        Probe probe = new Probe();
        CmId child = requested(probe);
        insideCall("accept", probe, () -> child.accept(ConnectionParameters.defaults()), () -> {
            endpoint(device).upcalls.established(ConnectionParameters.defaults());
            endpoint(device).upcalls.addressChanged();
        });
        probe.await(CmEventType.ADDR_CHANGE);
        assertThat(probe.types())
                .containsExactly(CmEventType.CONNECT_REQUEST, CmEventType.ESTABLISHED, CmEventType.ADDR_CHANGE);
    }

    @Test
    @DisplayName("C2: what comes while reject is inside the provider waits until it has returned")
    void insideReject() {
        Probe probe = new Probe();
        CmId child = requested(probe);
        insideCall("reject", probe, () -> child.reject(ByteBuffer.allocate(0)), () -> endpoint(device)
                .upcalls
                .addressChanged());
        probe.await(CmEventType.ADDR_CHANGE);
    }

    private void insideCall(String call, Probe probe, Bench.Action action, Runnable upcalls) {
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        device.on(call, () -> {
            upcalls.run();
            inside.countDown();
            await(go);
        });
        int before = probe.events.size();
        Thread caller = background("caller", () -> run(action));
        await(inside);
        passLane(consumer);
        assertThat(probe.events).hasSize(before);
        go.countDown();
        join(caller);
    }

    @Test
    @DisplayName("C2: a request waits while listen is inside another provider")
    void insideListen() {
        ScriptedDevice second = bench.plug("d1", "192.0.2.2");
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        for (ScriptedDevice last : List.of(device, second)) {
            ScriptedDevice first = last == device ? second : device;
            last.on("listen", () -> {
                if (!first.listeners.isEmpty()) {
                    first.listeners.get(0).request();
                    inside.countDown();
                    await(go);
                }
            });
        }
        Probe probe = new Probe();
        CmId id = consumer.id(probe);
        run(() -> id.bindAddress(new InetSocketAddress("0.0.0.0", 0)));
        Thread caller = background("caller", () -> run(() -> id.listen(4)));
        await(inside);
        passLane(consumer);
        assertThat(probe.events).isEmpty();

        go.countDown();

        join(caller);
        probe.await(CmEventType.CONNECT_REQUEST);
        assertThat(second.violations).isEmpty();
    }

    @Test
    @DisplayName("C3: a peer that goes between core's look at the request and its accept is told of, and accept fails")
    void peerGoesBeforeAccept() {
        Probe probe = new Probe();
        CmId child = requested(probe);
        ScriptedEndpoint endpoint = endpoint(device);
        // Core looks whether the device is marked after it has looked at the progress.
        bench.atMark(
                "d0",
                () -> assertThatThrownBy(() -> child.accept(ConnectionParameters.defaults()))
                        .isInstanceOf(RdmaException.class)
                        .hasMessageContaining("peer has gone"),
                () -> endpoint.upcalls.disconnected(RdmaError.CONNECTION_RESET));

        assertThat(endpoint.calls).doesNotContain("accept");
        probe.await(CmEventType.DISCONNECTED);
        passLane(consumer);
        assertThat(probe.count(CmEventType.DISCONNECTED)).isEqualTo(1);
    }

    @Test
    @DisplayName("C3: an upcall allocates nothing while it records its event")
    void upcallsAllocateNothing() {
        // The classes that upcalls need are loaded by a first round, and the second is measured.
        record(consumer.routed(device, new Probe()));
        CountDownLatch go = bench.latch();
        Probe probe = new Probe().on(CmEventType.ADDR_CHANGE, event -> {
            await(go);
            return Verdict.KEEP;
        });
        CmId id = consumer.routed(device, probe);
        consumer.queuePair(id);
        run(() -> id.connect(ConnectionParameters.defaults()));
        endpoint(device).upcalls.addressChanged();
        await(() -> probe.count(CmEventType.ADDR_CHANGE) == 1);
        ScriptedEndpoint endpoint = endpoint(device);
        ConnectionParameters parameters = ConnectionParameters.defaults();

        long allocated = measured(() -> {
            endpoint.upcalls.established(parameters);
            endpoint.upcalls.addressChanged();
            endpoint.upcalls.disconnected(RdmaError.SUCCESS);
            endpoint.upcalls.timewaitExit();
        });

        assertThat(allocated).isZero();
        go.countDown();
        probe.await(CmEventType.TIMEWAIT_EXIT);
    }

    private void record(CmId id) {
        consumer.queuePair(id);
        run(() -> id.connect(ConnectionParameters.defaults()));
        ConnectionParameters parameters = ConnectionParameters.defaults();
        ScriptedEndpoint endpoint = endpoint(device);
        measured(() -> {
            endpoint.upcalls.established(parameters);
            endpoint.upcalls.addressChanged();
            endpoint.upcalls.disconnected(RdmaError.SUCCESS);
            endpoint.upcalls.timewaitExit();
        });
    }

    private static long measured(Runnable upcalls) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(self);
        upcalls.run();
        return threads.getThreadAllocatedBytes(self) - before;
    }

    @Test
    @DisplayName("C3: a provider that fails to tell its address does not lose the event that it raises")
    void addressThatFails() {
        Probe probe = new Probe();
        CmId id = consumer.routed(device, probe);
        consumer.queuePair(id);
        run(() -> id.connect(ConnectionParameters.defaults()));
        device.on("localAddress", () -> {
            throw new RdmaException(RdmaError.INPUT_OUTPUT, "broken");
        });

        endpoint(device).upcalls.established(ConnectionParameters.defaults());

        probe.await(CmEventType.ESTABLISHED);
    }

    @Test
    @DisplayName("C4: null from a callback destroys the id as DESTROY does, and its port is free again")
    void nullVerdict() {
        Probe probe = new Probe().on(CmEventType.ADDR_CHANGE, event -> null);
        CmId id = consumer.id(probe);
        run(() -> id.bindAddress(new InetSocketAddress(Bench.LOCAL, 4712)));
        run(() -> id.resolveAddress(null, PEER, LONG));

        endpoint(device).upcalls.addressChanged();

        awaitDestroyed(id);
        assertThat(probe.types()).containsExactly(CmEventType.ADDR_CHANGE);
        CmId next = consumer.id(new Probe());
        run(() -> next.bindAddress(new InetSocketAddress(Bench.LOCAL, 4712)));
    }

    @Test
    @DisplayName("C4: a destroy by another thread while the callback answers DESTROY closes everything once")
    void destroyedTwice() {
        CountDownLatch go = bench.latch();
        Probe probe = new Probe().on(CmEventType.ADDR_RESOLVED, event -> {
            await(go);
            return Verdict.DESTROY;
        });
        CmId id = consumer.id(probe);
        run(() -> id.resolveAddress(null, PEER, LONG));
        ScriptedEndpoint endpoint = endpoint(device);
        endpoint.upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
        await(probe.entered);
        CountDownLatch closing = bench.latch();
        device.on("close endpoint", () -> {
            closing.countDown();
            // The destroyer looks meanwhile, finds somebody at it, and waits.
            endpoint.upcalls.addressChanged();
        });
        Thread first = background("first", id::destroy);
        Thread second = background("second", id::destroy);
        await(() -> first.getState() == Thread.State.WAITING && second.getState() == Thread.State.WAITING);

        go.countDown();

        join(first);
        join(second);
        id.destroy();
        assertThat(endpoint.calls).containsOnlyOnce("close");
        assertThat(probe.types()).containsExactly(CmEventType.ADDR_RESOLVED);
    }

    @Test
    @DisplayName("C5: a destroy that finds another one closing waits until it is closed")
    void destroyWaitsForTheOther() {
        CountDownLatch closing = bench.latch();
        CountDownLatch go = bench.latch();
        CmId id = consumer.resolved(device, new Probe());
        ScriptedEndpoint endpoint = endpoint(device);
        device.on("close endpoint", () -> {
            closing.countDown();
            await(go);
        });
        Thread first = background("first", id::destroy);
        await(closing);
        Thread second = background("second", id::destroy);
        await(() -> second.getState() == Thread.State.WAITING || !second.isAlive());
        assertThat(second.isAlive()).as("the second destroy waits").isTrue();

        go.countDown();

        join(first);
        join(second);
        assertThat(endpoint.calls).containsOnlyOnce("close");
    }

    @Test
    @DisplayName("C5: an event that waits for a thread when its id is destroyed in a callback is not delivered")
    void destroyedBeforeItsTurn() {
        CountDownLatch lane = bench.latch();
        CountDownLatch marked = bench.latch();
        CountDownLatch blocked = new CountDownLatch(Bench.QUICK.blockedCallbacks());
        Probe probe = new Probe();
        CmId target = consumer.resolved(device, probe);
        ScriptedEndpoint endpoint = endpoint(device);
        for (int i = 0; i < Bench.QUICK.blockedCallbacks(); i++) {
            boolean destroys = i == 0;
            consumer.session.consumer().lane().execute("test", () -> {
                blocked.countDown();
                await(blocked);
                if (destroys) {
                    endpoint.upcalls.addressChanged();
                    target.destroy();
                    marked.countDown();
                }
                await(lane);
            });
        }
        await(marked);

        lane.countDown();

        awaitDestroyed(target);
        passLane(consumer);
        assertThat(probe.types()).containsExactly(CmEventType.ADDR_RESOLVED);
    }

    @Test
    @DisplayName("C6: no way to continue after a stage runs on the thread that attaches or completes it")
    void everyContinuation() {
        Map<String, BiConsumer<CompletableFuture<Void>, Runnable>> ways = Map.of(
                "thenRun", CompletableFuture::thenRun,
                "thenAccept", (stage, task) -> stage.thenAccept(nothing -> task.run()),
                "whenComplete", (stage, task) -> stage.whenComplete((nothing, error) -> task.run()),
                "handle", (stage, task) -> stage.handle((nothing, error) -> ran(task)),
                "thenApply", (stage, task) -> stage.thenApply(nothing -> ran(task)),
                "thenCompose",
                        (stage, task) -> stage.thenCompose(nothing -> CompletableFuture.completedFuture(ran(task))),
                "runAfterEither", (stage, task) -> stage.runAfterEither(new CompletableFuture<>(), task),
                "runAfterBoth", (stage, task) -> stage.runAfterBoth(CompletableFuture.completedFuture(null), task),
                "after another", (stage, task) -> stage.thenRun(() -> {}).thenRun(task));
        Map<String, String> threads = new ConcurrentHashMap<>();
        CmId id = consumer.id(new Probe());
        ways.forEach((name, way) -> way.accept(
                id.destroyed().toCompletableFuture(),
                () -> threads.put("before " + name, Thread.currentThread().getName())));
        id.destroy();
        ways.forEach((name, way) -> way.accept(
                id.destroyed().toCompletableFuture(),
                () -> threads.put("after " + name, Thread.currentThread().getName())));

        await(() -> threads.size() == 2 * ways.size());
        assertThat(threads.values()).allMatch(thread -> thread.startsWith("verbena-callback"));
    }

    private static Void ran(Runnable task) {
        task.run();
        return null;
    }
}
