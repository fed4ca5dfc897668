package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.verbena.rdma.core.contract.Bench.await;
import static org.verbena.rdma.core.contract.Bench.awaitDestroyed;
import static org.verbena.rdma.core.contract.Bench.background;
import static org.verbena.rdma.core.contract.Bench.call;
import static org.verbena.rdma.core.contract.Bench.join;
import static org.verbena.rdma.core.contract.Bench.passLane;
import static org.verbena.rdma.core.contract.Bench.run;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.ScriptedDevice.ScriptedListener;
import org.verbena.rdma.core.session.CmVersion;

/** What a listener hears when the network behind its address changes to other hardware. */
class ListenerAddressContractTest {
    private static final int PORT = 7174;

    private final Bench bench = new Bench();
    private final ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
    private final Bench.Consumer consumer = bench.consumer("consumer");
    private final Probe probe = new Probe();

    @AfterEach
    void stop() {
        bench.close();
        assertThat(device.violations).isEmpty();
    }

    /** A listener on the one address of the device. */
    private CmId bound(Bench.Consumer owner, int port) {
        CmId id = owner.id(probe);
        run(() -> {
            id.bindAddress(new InetSocketAddress(Bench.LOCAL, port));
            id.listen(4);
        });
        return id;
    }

    private ScriptedListener listener() {
        return device.listeners.get(device.listeners.size() - 1);
    }

    /** Keeps the listener in a callback until the latch is released. */
    private CountDownLatch heldUpBy(CmEventType type) {
        CountDownLatch go = bench.latch();
        probe.on(type, event -> {
            await(go);
            return Verdict.KEEP;
        });
        return go;
    }

    @Test
    @DisplayName(
            "C3: a listener on one address is told of a change behind it, an undelivered one absorbs later ones, a later one is told again")
    void told() {
        CountDownLatch go = heldUpBy(CmEventType.CONNECT_REQUEST);
        CmId id = bound(consumer, PORT);
        listener().request();
        await(probe.entered);
        for (int i = 0; i < 3; i++) {
            listener().upcalls.addressChanged();
        }
        go.countDown();
        probe.await(CmEventType.ADDR_CHANGE);
        passLane(consumer);
        assertThat(probe.types()).containsExactly(CmEventType.CONNECT_REQUEST, CmEventType.ADDR_CHANGE);
        assertThat(probe.events.get(1).id()).isSameAs(id);
        assertThat(probe.events.get(1).listener()).isNull();
        assertThat(probe.events.get(1).status()).isEqualTo(RdmaError.SUCCESS);

        listener().upcalls.addressChanged();
        await(() -> probe.count(CmEventType.ADDR_CHANGE) == 2);
        assertThat(id.state()).isEqualTo(CmState.LISTEN);
        listener().request();
        await(() -> probe.count(CmEventType.CONNECT_REQUEST) == 2);
    }

    @Test
    @DisplayName(
            "C2: a listener's change comes after the requests that came before it, and before those that came later")
    void order() {
        CountDownLatch go = heldUpBy(CmEventType.CONNECT_REQUEST);
        bound(consumer, PORT);
        listener().request();
        await(probe.entered);
        listener().request();
        listener().upcalls.addressChanged();
        listener().request();
        listener().upcalls.addressChanged();
        listener().request();
        go.countDown();
        await(() -> probe.events.size() == 5);
        assertThat(probe.types())
                .containsExactly(
                        CmEventType.CONNECT_REQUEST,
                        CmEventType.CONNECT_REQUEST,
                        CmEventType.ADDR_CHANGE,
                        CmEventType.CONNECT_REQUEST,
                        CmEventType.CONNECT_REQUEST);
    }

    @Test
    @DisplayName(
            "C1: a request waits while its listener is being told of a change, and the next change waits behind it")
    void oneAtATime() {
        CountDownLatch go = heldUpBy(CmEventType.ADDR_CHANGE);
        bound(consumer, PORT);
        listener().upcalls.addressChanged();
        await(probe.entered);
        listener().request();
        listener().upcalls.addressChanged();
        passLane(bench.consumer("another"));
        assertThat(probe.types()).containsExactly(CmEventType.ADDR_CHANGE);
        go.countDown();
        await(() -> probe.events.size() == 3);
        assertThat(probe.types())
                .containsExactly(CmEventType.ADDR_CHANGE, CmEventType.CONNECT_REQUEST, CmEventType.ADDR_CHANGE);
        assertThat(probe.mostInside).hasValue(1);
    }

    @Test
    @DisplayName("C2: a change that comes while listen is inside the provider waits until it has returned")
    void insideListen() {
        CountDownLatch inside = bench.latch();
        CountDownLatch go = bench.latch();
        List<CmState> states = new ArrayList<>();
        probe.on(CmEventType.ADDR_CHANGE, event -> {
            states.add(event.id().state());
            return Verdict.KEEP;
        });
        device.on("listening", () -> {
            listener().upcalls.addressChanged();
            inside.countDown();
            await(go);
        });
        Thread caller = background("caller", () -> bound(consumer, PORT));
        await(inside);
        passLane(consumer);
        assertThat(probe.events).isEmpty();
        go.countDown();
        join(caller);
        probe.await(CmEventType.ADDR_CHANGE);
        assertThat(states).containsExactly(CmState.LISTEN);
    }

    @Test
    @DisplayName("C11: a listener on a wildcard is not told of changes behind the addresses that it follows")
    void wildcard() {
        consumer.listening(probe);
        listener().upcalls.addressChanged();
        CmId pinned = call(() -> consumer.connectionManager.createId(PortSpace.TCP, consumer.device("d0"), probe));
        run(() -> {
            pinned.bindAddress(new InetSocketAddress("0.0.0.0", 0));
            pinned.listen(4);
        });
        listener().upcalls.addressChanged();
        listener().request();
        probe.await(CmEventType.CONNECT_REQUEST);
        passLane(consumer);
        assertThat(probe.types()).containsExactly(CmEventType.CONNECT_REQUEST);
    }

    @Test
    @DisplayName("C15: a listener of a consumer built against 1.0 is shown no ADDR_CHANGE, and its requests go on")
    void versions() {
        Bench.Consumer old = bench.consumer("old", CmVersion.OLDEST);
        bound(old, PORT);
        listener().upcalls.addressChanged();
        listener().request();
        probe.await(CmEventType.CONNECT_REQUEST);
        listener().upcalls.addressChanged();
        passLane(old);
        assertThat(probe.types()).containsExactly(CmEventType.CONNECT_REQUEST);
    }

    @Test
    @DisplayName("C4: DESTROY on a change destroys the listener, refuses what waits, and nothing is told any more")
    void destroys() {
        CountDownLatch go = bench.latch();
        probe.on(CmEventType.ADDR_CHANGE, event -> {
            await(go);
            return Verdict.DESTROY;
        });
        CmId id = bound(consumer, PORT);
        listener().upcalls.addressChanged();
        await(probe.entered);
        ScriptedDevice.ScriptedEndpoint waiting = listener().request();
        listener().upcalls.addressChanged();
        go.countDown();
        awaitDestroyed(id);
        await(() -> waiting.closed);
        assertThat(listener().closed).isTrue();
        listener().upcalls.addressChanged();
        passLane(consumer);
        assertThat(probe.types()).containsExactly(CmEventType.ADDR_CHANGE);
    }

    @Test
    @DisplayName("C7: a listener's change comes before the removal of its device, and none after it")
    void removal() {
        CountDownLatch go = heldUpBy(CmEventType.CONNECT_REQUEST);
        bench.bePatient();
        CmId id = bound(consumer, PORT);
        listener().request();
        await(probe.entered);
        listener().request();
        listener().upcalls.addressChanged();
        Thread puller = bench.pullInBackground(device);
        await(() -> listener().closed);
        listener().upcalls.addressChanged();
        go.countDown();
        join(puller);
        listener().upcalls.addressChanged();
        passLane(consumer);
        assertThat(probe.events.stream().filter(event -> event.id() == id))
                .extracting(CmEvent::type)
                .containsExactly(CmEventType.ADDR_CHANGE, CmEventType.DEVICE_REMOVAL);
    }

    @Test
    @DisplayName("C17: what the provider says of a listener that has failed to listen goes nowhere")
    void failedListen() throws RdmaException {
        device.on("listening", () -> {
            throw new RdmaException(RdmaError.NO_MEMORY, "on purpose");
        });
        CmId id = consumer.id(probe);
        id.bindAddress(new InetSocketAddress(Bench.LOCAL, PORT));
        assertThatThrownBy(() -> id.listen(4)).hasMessage("on purpose");
        listener().upcalls.addressChanged();
        assertThat(listener().request()).isNull();
        listener().close();
        passLane(consumer);
        assertThat(probe.events).isEmpty();
        assertThat(id.state()).isEqualTo(CmState.ADDR_BOUND);
    }
}
