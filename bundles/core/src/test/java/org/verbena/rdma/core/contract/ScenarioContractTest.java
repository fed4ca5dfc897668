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

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.ScriptedDevice.ScriptedEndpoint;
import org.verbena.rdma.monitor.DeviceSnapshot;

/** Scenarios that have hurt other connection managers; see itests/scenarios.md. */
class ScenarioContractTest {
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
    @DisplayName("An address is shown, and found, without the scope that the operating system gives to each of IPv6")
    void scopeThatMeansNothing() throws Exception {
        bench.plug("d6", "2001:db8::6%7");
        bench.plug("d7", "fe80::7%7");

        assertThat(bench.core.monitor().snapshot().devices())
                .flatExtracting(DeviceSnapshot::addresses)
                .contains("2001:db8:0:0:0:0:0:6", "fe80:0:0:0:0:0:0:7%7");
        CmId id = consumer.id(new Probe());
        run(() -> id.bindAddress(new InetSocketAddress("2001:db8::6", 0)));
        assertThat(id.device().name()).isEqualTo("d6");
    }

    @Test
    @DisplayName("C4: DESTROY from ADDR_ERROR takes along the resolution that the same callback has begun anew")
    void resolvesAnewAndIsDestroyed() {
        Probe probe = new Probe().on(CmEventType.ADDR_ERROR, event -> {
            event.id().resolveAddress(null, PEER, LONG);
            return Verdict.DESTROY;
        });
        CmId id = consumer.id(probe);
        run(() -> id.resolveAddress(null, PEER, LONG));
        ScriptedEndpoint first = endpoint(device);

        first.upcalls.addressError(RdmaError.TIMED_OUT);

        awaitDestroyed(id);
        ScriptedEndpoint second = endpoint(device);
        assertThat(second).isNotSameAs(first);
        assertThat(first.calls).containsExactly("close");
        assertThat(second.calls).containsExactly("close");
        second.upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
        passLane(consumer);
        assertThat(probe.types()).containsExactly(CmEventType.ADDR_ERROR);
    }

    @Test
    @DisplayName("C7: an id whose bind has failed is on no device, and can bind again")
    void failedBind() {
        CmId first = consumer.id(new Probe());
        run(() -> first.bindAddress(new InetSocketAddress(Bench.LOCAL, 4713)));
        Probe probe = new Probe();
        CmId second = consumer.id(probe);

        assertThatThrownBy(() -> second.bindAddress(new InetSocketAddress(Bench.LOCAL, 4713)))
                .isInstanceOf(RdmaException.class);

        bench.pull(device);
        passLane(consumer);
        assertThat(probe.events).isEmpty();
        ScriptedDevice back = bench.plug("d0", Bench.LOCAL);
        run(() -> second.bindAddress(new InetSocketAddress(Bench.LOCAL, 4714)));
        assertThat(back.violations).isEmpty();
    }

    @Test
    @DisplayName("C3: a route can be resolved again after ROUTE_ERROR, and late answers to the first are not doubled")
    void routeAgain() {
        Probe probe = new Probe();
        CmId id = consumer.resolved(device, probe);
        run(() -> id.resolveRoute(LONG));
        endpoint(device).upcalls.routeError(RdmaError.TIMED_OUT);
        probe.await(CmEventType.ROUTE_ERROR);
        assertThat(id.state()).isEqualTo(CmState.ADDR_RESOLVED);
        endpoint(device).upcalls.routeResolved();
        passLane(consumer);
        assertThat(probe.count(CmEventType.ROUTE_RESOLVED)).isZero();

        run(() -> id.resolveRoute(LONG));
        endpoint(device).upcalls.routeResolved();
        endpoint(device).upcalls.routeResolved();

        probe.await(CmEventType.ROUTE_RESOLVED);
        passLane(consumer);
        assertThat(probe.count(CmEventType.ROUTE_RESOLVED)).isEqualTo(1);
    }

    @Test
    @DisplayName("C11: a device that comes during a wildcard listen is listened on once")
    void deviceComesDuringListen() {
        AtomicReference<ScriptedDevice> second = new AtomicReference<>();
        device.on("listen", () -> second.set(bench.plug("d1", "192.0.2.2")));

        CmId listener = consumer.listening(new Probe());

        await(() -> second.get().listeners.size() == 1);
        second.get().upcalls.addressesChanged();
        bench.plug("d2", "192.0.2.3");
        assertThat(second.get().listeners).hasSize(1);
        assertThat(device.listeners).hasSize(1);
        listener.destroy();
        assertThat(second.get().live).hasValue(0);
    }

    @Test
    @DisplayName("C3: a request for which there is no memory is refused, and the listener goes on")
    void requestWithoutMemory() {
        Probe probe = new Probe();
        consumer.listening(probe);
        AtomicBoolean exhausted = new AtomicBoolean(true);
        device.on("localAddress", () -> {
            if (exhausted.getAndSet(false)) {
                throw new OutOfMemoryError("on purpose");
            }
        });

        assertThat(device.listeners.get(0).request()).isNull();
        assertThat(device.listeners.get(0).request()).isNotNull();

        probe.await(CmEventType.CONNECT_REQUEST);
        passLane(consumer);
        assertThat(probe.count(CmEventType.CONNECT_REQUEST)).isEqualTo(1);
    }

    @Test
    @DisplayName("C3: a rejection is told with its private data, whatever the provider does to its buffer afterwards")
    void rejectionWithData() {
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
        ByteBuffer reused = ByteBuffer.wrap(new byte[] {1, 2, 3});
        endpoint(device).upcalls.rejected(RejectReason.CONSUMER, reused);
        reused.put(0, (byte) 9);

        go.countDown();

        CmEvent rejected = probe.await(CmEventType.REJECTED);
        assertThat(rejected.rejectReason()).isEqualTo(RejectReason.CONSUMER);
        assertThat(rejected.privateData()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }

    @Test
    @DisplayName("C5: destroy does not wait for the peer's answer to a disconnect")
    void destroyAfterDisconnect() {
        Probe probe = new Probe();
        CmId id = consumer.established(device, probe);
        run(id::disconnect);

        id.destroy();

        assertThat(endpoint(device).calls).endsWith("disconnect", "close");
        endpoint(device).upcalls.disconnected(RdmaError.SUCCESS);
        endpoint(device).upcalls.timewaitExit();
        passLane(consumer);
        assertThat(probe.types()).doesNotContain(CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
    }

    @Test
    @DisplayName("C3: events that wait while the handler is replaced go to the new handler, each once and in order")
    void handlerIsReplaced() {
        CountDownLatch go = bench.latch();
        Probe former = new Probe().on(CmEventType.ESTABLISHED, event -> {
            await(go);
            return Verdict.KEEP;
        });
        CmId id = consumer.routed(device, former);
        consumer.queuePair(id);
        run(() -> id.connect(ConnectionParameters.defaults()));
        endpoint(device).upcalls.established(ConnectionParameters.defaults());
        await(() -> former.count(CmEventType.ESTABLISHED) == 1);
        endpoint(device).upcalls.addressChanged();
        Probe latter = new Probe();

        id.handler(latter);
        endpoint(device).upcalls.disconnected(RdmaError.SUCCESS);
        go.countDown();

        latter.await(CmEventType.DISCONNECTED);
        assertThat(former.types())
                .containsExactly(CmEventType.ADDR_RESOLVED, CmEventType.ROUTE_RESOLVED, CmEventType.ESTABLISHED);
        assertThat(latter.types()).containsExactly(CmEventType.ADDR_CHANGE, CmEventType.DISCONNECTED);
    }

    @Test
    @DisplayName("C5: a destroy that is interrupted still waits for the callback, and the interrupt is not lost")
    void interruptedDestroy() {
        CountDownLatch go = bench.latch();
        AtomicBoolean over = new AtomicBoolean();
        AtomicBoolean sawEnd = new AtomicBoolean();
        AtomicBoolean interrupted = new AtomicBoolean();
        Probe probe = new Probe().on(CmEventType.ROUTE_RESOLVED, event -> {
            await(go);
            over.set(true);
            return Verdict.KEEP;
        });
        CmId id = consumer.resolved(device, probe);
        run(() -> id.resolveRoute(LONG));
        endpoint(device).upcalls.routeResolved();
        await(() -> probe.count(CmEventType.ROUTE_RESOLVED) == 1);
        Thread destroyer = background("destroyer", () -> {
            id.destroy();
            sawEnd.set(over.get());
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        await(() -> destroyer.getState() == Thread.State.WAITING);
        destroyer.interrupt();
        await(() -> !destroyer.isInterrupted() && destroyer.getState() == Thread.State.WAITING);

        go.countDown();

        join(destroyer);
        assertThat(sawEnd).isTrue();
        assertThat(interrupted).isTrue();
    }

    @Test
    @DisplayName("C4: a queue pair that its owner closes before the id takes no event away")
    void queuePairGoesFirst() {
        Probe probe = new Probe();
        CmId id = consumer.established(device, probe);
        run(() -> id.queuePair().close());

        endpoint(device).upcalls.disconnected(RdmaError.CONNECTION_RESET);

        probe.await(CmEventType.DISCONNECTED);
        id.destroy();
        assertThat(endpoint(device).queuePair.closed).isTrue();
    }
}
