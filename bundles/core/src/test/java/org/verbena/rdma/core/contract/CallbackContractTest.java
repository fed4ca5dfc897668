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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.ScriptedDevice.ScriptedEndpoint;
import org.verbena.rdma.core.session.CmVersion;

/** The lines of the contract that are about callbacks: C1 to C6, C13 to C15. */
class CallbackContractTest {
    private final Bench bench = new Bench();
    private final ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
    private final Bench.Consumer consumer = bench.consumer("consumer");

    @AfterEach
    void stop() {
        bench.close();
    }

    @Test
    @DisplayName("C1: callbacks of one id never overlap, however many threads raise its events")
    void callbacksDoNotOverlap() {
        CountDownLatch go = bench.latch();
        Probe probe = new Probe().on(CmEventType.ESTABLISHED, event -> {
            await(go);
            return Verdict.KEEP;
        });
        CmId id = consumer.routed(device, probe);
        consumer.queuePair(id);
        run(() -> id.connect(ConnectionParameters.defaults()));
        ScriptedEndpoint endpoint = endpoint(device);
        endpoint.upcalls.established(ConnectionParameters.defaults());
        await(() -> probe.count(CmEventType.ESTABLISHED) == 1);
        Thread disconnect = background("one", () -> endpoint.upcalls.disconnected(RdmaError.SUCCESS));
        Thread change = background("two", () -> endpoint.upcalls.addressChanged());
        join(disconnect);
        join(change);
        assertThat(probe.mostInside).hasValue(1);
        assertThat(probe.types()).doesNotContain(CmEventType.DISCONNECTED, CmEventType.ADDR_CHANGE);
        go.countDown();
        probe.await(CmEventType.DISCONNECTED);
        probe.await(CmEventType.ADDR_CHANGE);
        assertThat(probe.mostInside).hasValue(1);
    }

    @Test
    @DisplayName(
            "C1: a request's callback runs under the turn of its listener, and the child's events wait for its end")
    void requestRunsUnderTheListenersTurn() {
        CountDownLatch go = bench.latch();
        Probe probe = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            await(go);
            return Verdict.KEEP;
        });
        consumer.listening(probe);
        ScriptedEndpoint first = device.listeners.get(0).request();
        await(probe.entered);
        device.listeners.get(0).request();
        first.upcalls.disconnected(RdmaError.CONNECTION_RESET);
        passLane();
        assertThat(probe.events).hasSize(1);
        go.countDown();
        await(() -> probe.events.size() == 3);
        assertThat(probe.count(CmEventType.CONNECT_REQUEST)).isEqualTo(2);
        assertThat(probe.count(CmEventType.DISCONNECTED)).isEqualTo(1);
    }

    @Test
    @DisplayName("C2: events come in the order in which the provider raised them")
    void order() {
        CountDownLatch go = bench.latch();
        Probe probe = new Probe().on(CmEventType.ESTABLISHED, event -> {
            await(go);
            return Verdict.KEEP;
        });
        CmId id = consumer.routed(device, probe);
        consumer.queuePair(id);
        run(() -> id.connect(ConnectionParameters.defaults()));
        ScriptedEndpoint endpoint = endpoint(device);
        endpoint.upcalls.established(ConnectionParameters.defaults());
        endpoint.upcalls.addressChanged();
        endpoint.upcalls.disconnected(RdmaError.SUCCESS);
        endpoint.upcalls.timewaitExit();
        go.countDown();
        probe.await(CmEventType.TIMEWAIT_EXIT);
        assertThat(probe.types())
                .containsExactly(
                        CmEventType.ADDR_RESOLVED,
                        CmEventType.ROUTE_RESOLVED,
                        CmEventType.ESTABLISHED,
                        CmEventType.ADDR_CHANGE,
                        CmEventType.DISCONNECTED,
                        CmEventType.TIMEWAIT_EXIT);
    }

    @Test
    @DisplayName("C2: an answer that comes while connect is inside the provider waits until the state is settled")
    void answerInsideConnect() {
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        AtomicReference<CmState> seen = new AtomicReference<>();
        AtomicReference<CmId> connecting = new AtomicReference<>();
        Probe probe = new Probe().on(CmEventType.ESTABLISHED, event -> {
            seen.set(connecting.get().state());
            return Verdict.KEEP;
        });
        CmId id = consumer.routed(device, probe);
        connecting.set(id);
        consumer.queuePair(id);
        device.on("connect", () -> {
            endpoint(device).upcalls.established(ConnectionParameters.defaults());
            inside.countDown();
            await(go);
        });
        Thread caller = background("caller", () -> run(() -> id.connect(ConnectionParameters.defaults())));
        await(inside);
        // Work of another id of the same lane passes, so the event would have been delivered by now.
        passLane();
        assertThat(probe.types()).doesNotContain(CmEventType.ESTABLISHED);
        go.countDown();
        join(caller);
        probe.await(CmEventType.ESTABLISHED);
        assertThat(seen).hasValue(CmState.CONNECT);
    }

    @Test
    @DisplayName(
            "C2: what the provider said of a connect that has failed after all is forgotten, and the state is as before")
    void failedConnect() {
        Probe probe = new Probe();
        CmId id = consumer.routed(device, probe);
        consumer.queuePair(id);
        device.on("connect", () -> {
            endpoint(device).upcalls.established(ConnectionParameters.defaults());
            throw new RdmaException(RdmaError.NO_MEMORY, "full");
        });
        assertThatThrownBy(() -> id.connect(ConnectionParameters.defaults())).hasMessage("full");
        endpoint(device).upcalls.established(ConnectionParameters.defaults());
        passLane();
        assertThat(id.state()).isEqualTo(CmState.ROUTE_RESOLVED);
        assertThat(probe.types()).doesNotContain(CmEventType.ESTABLISHED);
        device.on("connect", () -> {
            throw new RdmaException(RdmaError.NO_MEMORY, "still full");
        });
        assertThatThrownBy(() -> id.connect(ConnectionParameters.defaults())).hasMessage("still full");
        endpoint(device).upcalls.established(ConnectionParameters.defaults());
        passLane();
        assertThat(probe.types()).doesNotContain(CmEventType.ESTABLISHED);
        device.on("connect", () -> {});
        run(() -> id.connect(ConnectionParameters.defaults()));
        endpoint(device).upcalls.established(ConnectionParameters.defaults());
        probe.await(CmEventType.ESTABLISHED);
    }

    @Test
    @DisplayName("C2: a request that comes while listen is inside the provider is delivered when the id listens")
    void requestInsideListen() {
        AtomicReference<CmState> seen = new AtomicReference<>();
        Probe probe = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            seen.set(event.listener().state());
            return Verdict.KEEP;
        });
        CmId id = consumer.id(probe);
        AtomicReference<Thread> requester = new AtomicReference<>();
        ScriptedDevice second = new ScriptedDevice("d1", "192.0.2.2");
        bench.plug(second, 0);
        second.on("listen", () -> device.listeners.get(0).request());
        run(() -> {
            id.bindAddress(new InetSocketAddress("0.0.0.0", 0));
            id.listen(4);
        });
        probe.await(CmEventType.CONNECT_REQUEST);
        assertThat(seen).hasValue(CmState.LISTEN);
        assertThat(requester).hasNullValue();
    }

    @Test
    @DisplayName(
            "C3: duplicates are dropped, an undelivered address change absorbs later ones, a later one is told again")
    void duplicates() {
        CountDownLatch go = bench.latch();
        Probe probe = new Probe().on(CmEventType.ESTABLISHED, event -> {
            await(go);
            return Verdict.KEEP;
        });
        CmId id = consumer.routed(device, probe);
        consumer.queuePair(id);
        run(() -> id.connect(ConnectionParameters.defaults()));
        ScriptedEndpoint endpoint = endpoint(device);
        for (int i = 0; i < 3; i++) {
            endpoint.upcalls.established(ConnectionParameters.defaults());
            endpoint.upcalls.addressChanged();
            endpoint.upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
        }
        go.countDown();
        probe.await(CmEventType.ADDR_CHANGE);
        endpoint.upcalls.addressChanged();
        await(() -> probe.count(CmEventType.ADDR_CHANGE) == 2);
        endpoint.upcalls.disconnected(RdmaError.SUCCESS);
        endpoint.upcalls.disconnected(RdmaError.SUCCESS);
        endpoint.upcalls.rejected(org.verbena.rdma.cm.RejectReason.CONSUMER, java.nio.ByteBuffer.allocate(0));
        probe.await(CmEventType.DISCONNECTED);
        passLane();
        assertThat(probe.types())
                .containsExactly(
                        CmEventType.ADDR_RESOLVED,
                        CmEventType.ROUTE_RESOLVED,
                        CmEventType.ESTABLISHED,
                        CmEventType.ADDR_CHANGE,
                        CmEventType.ADDR_CHANGE,
                        CmEventType.DISCONNECTED);
    }

    @Test
    @DisplayName("C3: requests beyond the backlog are refused, none that was taken is lost")
    void backlog() {
        CountDownLatch go = bench.latch();
        Probe probe = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            await(go);
            return Verdict.KEEP;
        });
        consumer.listening(probe);
        assertThat(device.listeners.get(0).request()).isNotNull();
        await(probe.entered);
        int taken = 0;
        for (int i = 0; i < 10; i++) {
            if (device.listeners.get(0).request() != null) {
                taken++;
            }
        }
        assertThat(taken).isEqualTo(4);
        go.countDown();
        await(() -> probe.count(CmEventType.CONNECT_REQUEST) == 5);
        assertThat(device.listeners.get(0).request()).isNotNull();
    }

    @Test
    @DisplayName("C4: DESTROY from a callback destroys the id, cancels what is pending, and no callback follows")
    void destroyVerdict() {
        Probe probe = new Probe().on(CmEventType.ESTABLISHED, event -> {
            endpoint(device).upcalls.disconnected(RdmaError.SUCCESS);
            return Verdict.DESTROY;
        });
        CmId id = consumer.routed(device, probe);
        Bench.Verbs verbs = consumer.queuePair(id);
        verbs.postReceive(77);
        run(() -> id.connect(ConnectionParameters.defaults()));
        ScriptedEndpoint endpoint = endpoint(device);
        endpoint.upcalls.established(ConnectionParameters.defaults());
        awaitDestroyed(id);
        assertThat(probe.types()).doesNotContain(CmEventType.DISCONNECTED);
        assertThat(endpoint.closed).isTrue();
        assertThat(endpoint.queuePair.closed).isTrue();
        assertThat(verbs.queuePair().isOpen()).isFalse();
        var completions = verbs.queue().createWorkCompletions(4);
        assertThat(Bench.call(() -> verbs.queue().poll(completions))).isEqualTo(1);
        assertThat(completions.workRequestId(0)).isEqualTo(77);
    }

    @Test
    @DisplayName("C4: a throw, an Error too, destroys the id; another id's callbacks go on")
    void throwing() {
        Probe throwing = new Probe().on(CmEventType.ROUTE_RESOLVED, event -> {
            throw new StackOverflowError("on purpose");
        });
        Probe other = new Probe();
        CmId id = consumer.resolved(device, throwing);
        run(() -> id.resolveRoute(Duration.ofSeconds(1)));
        endpoint(device).upcalls.routeResolved();
        awaitDestroyed(id);
        assertThatThrownBy(() -> id.resolveRoute(Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("destroyed");
        consumer.routed(device, other);
    }

    @Test
    @DisplayName("C4: DESTROY on a request refuses the peer and leaves the listener alone")
    void destroyOnRequest() {
        Probe probe = new Probe().on(CmEventType.CONNECT_REQUEST, event -> Verdict.DESTROY);
        CmId listener = consumer.listening(probe);
        ScriptedEndpoint first = device.listeners.get(0).request();
        await(() -> first.closed);
        assertThat(first.calls).containsExactly("close");
        assertThat(device.listeners.get(0).request()).isNotNull();
        await(() -> probe.count(CmEventType.CONNECT_REQUEST) == 2);
        assertThat(listener.state()).isEqualTo(CmState.LISTEN);
    }

    @Test
    @DisplayName("C4: DESTROY while another thread is inside a call: the call ends first, then all of it is closed")
    void destroyVerdictDuringCall() {
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        CountDownLatch verdict = bench.latch();
        Probe probe = new Probe().on(CmEventType.ADDR_RESOLVED, event -> {
            await(verdict);
            return Verdict.DESTROY;
        });
        CmId id = consumer.id(probe);
        run(() -> id.resolveAddress(null, new InetSocketAddress(Bench.REMOTE, 1), Duration.ofSeconds(5)));
        ScriptedEndpoint endpoint = endpoint(device);
        endpoint.upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
        await(probe.entered);
        device.on("resolveRoute", () -> {
            inside.countDown();
            await(go);
        });
        Thread caller = background("caller", () -> run(() -> id.resolveRoute(Duration.ofSeconds(5))));
        await(inside);
        verdict.countDown();
        await(() -> probe.inside.get() == 0);
        assertThat(endpoint.closed).isFalse();
        go.countDown();
        join(caller);
        awaitDestroyed(id);
        assertThat(endpoint.closed).isTrue();
        assertThat(device.violations).isEmpty();
    }

    @Test
    @DisplayName("C5: destroy outside of callbacks waits for the one that runs, and none runs afterwards")
    void destroyWaits() {
        CountDownLatch go = bench.latch();
        AtomicBoolean returned = new AtomicBoolean();
        AtomicBoolean after = new AtomicBoolean();
        Probe probe = new Probe().on(CmEventType.ROUTE_RESOLVED, event -> {
            await(go);
            after.set(returned.get());
            return Verdict.KEEP;
        });
        CmId id = consumer.resolved(device, probe);
        run(() -> id.resolveRoute(Duration.ofSeconds(5)));
        endpoint(device).upcalls.routeResolved();
        await(() -> probe.count(CmEventType.ROUTE_RESOLVED) == 1);
        Thread destroyer = background("destroyer", () -> {
            id.destroy();
            returned.set(true);
        });
        await(() -> destroyer.getState() == Thread.State.WAITING);
        assertThat(returned).isFalse();
        go.countDown();
        join(destroyer);
        assertThat(after).isFalse();
        endpoint(device).upcalls.disconnected(RdmaError.SUCCESS);
        passLane();
        assertThat(probe.types()).containsExactly(CmEventType.ADDR_RESOLVED, CmEventType.ROUTE_RESOLVED);
    }

    @Test
    @DisplayName("C5: inside any callback destroy marks and returns; a stage says when it is over")
    void destroyInCallback() {
        CountDownLatch go = bench.latch();
        CountDownLatch returned = bench.latch();
        Probe busy = new Probe().on(CmEventType.ROUTE_RESOLVED, event -> {
            await(go);
            return Verdict.KEEP;
        });
        CmId target = consumer.resolved(device, busy);
        run(() -> target.resolveRoute(Duration.ofSeconds(5)));
        endpoint(device).upcalls.routeResolved();
        await(() -> busy.count(CmEventType.ROUTE_RESOLVED) == 1);
        AtomicBoolean over = new AtomicBoolean();
        AtomicBoolean overBefore = new AtomicBoolean();
        target.destroyed().thenRun(() -> overBefore.set(true));
        Probe destroyer = new Probe().on(CmEventType.ADDR_RESOLVED, event -> {
            target.destroy();
            target.destroyed().thenRun(() -> over.set(true));
            returned.countDown();
            return Verdict.KEEP;
        });
        consumer.resolved(device, destroyer);
        await(returned);
        passLane();
        assertThat(over).isFalse();
        assertThat(overBefore).isFalse();
        go.countDown();
        await(over::get);
    }

    @Test
    @DisplayName("C6: no callback runs on the stack of a consumer's call, also when the answer is there at once")
    void notOnTheCallersStack() {
        device.on("resolve", () -> endpoint(device).upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1)));
        device.on("resolveRoute", () -> endpoint(device).upcalls.routeResolved());
        Probe probe = new Probe();
        CmId id = consumer.id(probe);
        run(() -> id.resolveAddress(null, new InetSocketAddress(Bench.REMOTE, 1), Duration.ofSeconds(5)));
        probe.await(CmEventType.ADDR_RESOLVED);
        run(() -> id.resolveRoute(Duration.ofSeconds(5)));
        probe.await(CmEventType.ROUTE_RESOLVED);
        assertThat(probe.threads).hasSize(2).doesNotContain(Thread.currentThread());
    }

    @Test
    @DisplayName("C6: the continuation of a stage never runs on the thread that attaches or completes it")
    void continuationsOnTheDispatcher() {
        CmId id = consumer.id(new Probe());
        id.destroy();
        AtomicReference<Thread> thread = new AtomicReference<>();
        id.destroyed().thenRun(() -> thread.set(Thread.currentThread()));
        await(() -> thread.get() != null);
        assertThat(thread.get()).isNotSameAs(Thread.currentThread());
        assertThat(thread.get().getName()).startsWith("verbena-callback");
    }

    @Test
    @DisplayName(
            "C13: blocked callbacks of one bundle delay no other bundle, and its own ids only beyond the set number")
    void blockedCallbacks() {
        CountDownLatch go = bench.latch();
        for (int i = 0; i < Bench.QUICK.blockedCallbacks() - 1; i++) {
            blocked(consumer, go);
        }
        // One thread of its own is left.
        consumer.routed(device, new Probe());
        blocked(consumer, go);
        Probe waiting = new Probe();
        CmId id = consumer.id(waiting);
        run(() -> id.resolveAddress(null, new InetSocketAddress(Bench.REMOTE, 1), Duration.ofSeconds(5)));
        endpoint(device).upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
        bench.consumer("other").routed(device, new Probe());
        assertThat(waiting.events).isEmpty();
        await(() -> bench.core.monitor().snapshot().consumers().stream()
                .anyMatch(snapshot -> snapshot.bundle().equals("consumer")
                        && snapshot.blockedThreads().size() == Bench.QUICK.blockedCallbacks()
                        && snapshot.waitingCallbacks() == 1));
        go.countDown();
        waiting.await(CmEventType.ADDR_RESOLVED);
    }

    private void blocked(Bench.Consumer of, CountDownLatch until) {
        Probe probe = new Probe().on(CmEventType.ADDR_RESOLVED, event -> {
            await(until);
            return Verdict.KEEP;
        });
        CmId id = of.id(probe);
        run(() -> id.resolveAddress(null, new InetSocketAddress(Bench.REMOTE, 1), Duration.ofSeconds(5)));
        endpoint(device).upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
        await(probe.entered);
    }

    @Test
    @DisplayName(
            "C14: two callbacks that destroy each other's ids, and one that destroys itself and its listener, all end")
    void destroyEachOther() {
        CountDownLatch both = new CountDownLatch(2);
        AtomicReference<CmId> one = new AtomicReference<>();
        AtomicReference<CmId> two = new AtomicReference<>();
        Probe first = new Probe().on(CmEventType.ROUTE_RESOLVED, event -> {
            both.countDown();
            await(both);
            two.get().destroy();
            return Verdict.KEEP;
        });
        Probe second = new Probe().on(CmEventType.ROUTE_RESOLVED, event -> {
            both.countDown();
            await(both);
            one.get().destroy();
            return Verdict.KEEP;
        });
        one.set(consumer.resolved(device, first));
        ScriptedEndpoint firstEndpoint = endpoint(device);
        two.set(consumer.resolved(device, second));
        ScriptedEndpoint secondEndpoint = endpoint(device);
        run(() -> one.get().resolveRoute(Duration.ofSeconds(5)));
        run(() -> two.get().resolveRoute(Duration.ofSeconds(5)));
        firstEndpoint.upcalls.routeResolved();
        secondEndpoint.upcalls.routeResolved();
        awaitDestroyed(one.get());
        awaitDestroyed(two.get());

        AtomicReference<CmId> child = new AtomicReference<>();
        Probe suicidal = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            child.set(event.id());
            event.id().destroy();
            event.listener().destroy();
            return Verdict.KEEP;
        });
        CmId listener = consumer.listening(suicidal);
        device.listeners.get(0).request();
        awaitDestroyed(listener);
        awaitDestroyed(child.get());
        assertThat(device.listeners.get(0).closed).isTrue();
    }

    @Test
    @DisplayName("C15: a consumer built against 1.0 is shown no ADDR_CHANGE, one built against 1.1 is")
    void versions() {
        Probe old = new Probe();
        Probe young = new Probe();
        bench.consumer("old", CmVersion.OLDEST).routed(device, old);
        ScriptedEndpoint oldEndpoint = endpoint(device);
        consumer.routed(device, young);
        oldEndpoint.upcalls.addressChanged();
        endpoint(device).upcalls.addressChanged();
        young.await(CmEventType.ADDR_CHANGE);
        oldEndpoint.upcalls.addressChanged();
        passLane();
        assertThat(old.types()).containsExactly(CmEventType.ADDR_RESOLVED, CmEventType.ROUTE_RESOLVED);
    }

    private void passLane() {
        Bench.passLane(consumer);
    }
}
