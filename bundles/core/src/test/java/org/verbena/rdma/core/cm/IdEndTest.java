package org.verbena.rdma.core.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.device.DeviceRank;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.Unpublished;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.core.session.Session;
import org.verbena.rdma.core.session.SessionMember;

/** That an id ends in full, whatever comes between or fails on the way, and that nothing of it is left anywhere. */
class IdEndTest {
    private final Core core = new Core(CoreConfiguration.DEFAULTS, new Unpublished(), destination -> null);
    private final ScriptedDevice device = new ScriptedDevice("d0", "192.0.2.1");
    private final Session session = core.openSession("consumer", -1, CmVersion.CURRENT);
    private final Surroundings surroundings =
            ((SessionConnectionManager) core.connectionManager(session)).surroundings();
    private final CountDownLatch release = new CountDownLatch(1);
    private DeviceSlot slot;

    @BeforeEach
    void plug() {
        slot = core.devices().offer(device, new DeviceRank(0, 1));
        await().until(() -> slot.serving() != null);
    }

    @AfterEach
    void stop() {
        release.countDown();
        core.stop();
        assertThat(device.violations).isEmpty();
    }

    private ConnectionId listening(Surroundings around, org.verbena.rdma.cm.EventHandler handler) throws RdmaException {
        ConnectionId listener = ConnectionId.create(around, session, PortSpace.TCP, null, handler);
        listener.bindAddress(new InetSocketAddress("0.0.0.0", 0));
        listener.listen(4);
        return listener;
    }

    private ConnectionId childOf(ConnectionId listener) {
        List<SessionMember> children =
                session.members().stream().filter(member -> member != listener).toList();
        assertThat(children).hasSize(1);
        return (ConnectionId) children.get(0);
    }

    private void assertNothingIsLeftBut(ConnectionId listener) {
        assertThat(session.members()).containsExactly(listener);
        assertThat(slot.device().members()).isEmpty();
        assertThat(listener.idState().requestCount()).isZero();
    }

    @Test
    @DisplayName("C7: a request that its device's removal meets between its taking and the queue does not stay there")
    void refusedBeforeTheQueue() throws RdmaException {
        List<CmEventType> told = new CopyOnWriteArrayList<>();
        ConnectionId listener = listening(surroundings, event -> {
            told.add(event.type());
            return Verdict.KEEP;
        });
        AtomicReference<ScriptedDevice.ScriptedEndpoint> taken = new AtomicReference<>();
        Thread upcall = new Thread(() -> taken.set(device.listeners.get(0).request()));

        synchronized (listener.idState()) {
            // The id is made and entered everywhere, and the upcall stops where it would queue it.
            upcall.start();
            await().until(() -> upcall.getState() == Thread.State.BLOCKED);
            childOf(listener).refuseIfUndelivered();
        }
        await().until(() -> !upcall.isAlive());

        assertNothingIsLeftBut(listener);
        assertThat(taken.get().closed).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    @DisplayName("C7: a request that its device's removal meets in the queue leaves it")
    void refusedInTheQueue() throws RdmaException {
        List<CmEvent> told = new CopyOnWriteArrayList<>();
        ConnectionId listener = listening(surroundings, event -> {
            told.add(event);
            assertThat(release.await(20, TimeUnit.SECONDS)).isTrue();
            return Verdict.DESTROY;
        });
        device.listeners.get(0).request();
        await().until(() -> told.size() == 1);
        ScriptedDevice.ScriptedEndpoint second = device.listeners.get(0).request();
        ConnectionId child = session.members().stream()
                .filter(member -> member != listener && member != told.get(0).id())
                .map(ConnectionId.class::cast)
                .findFirst()
                .orElseThrow();
        assertThat(listener.idState().requestCount()).isOne();

        child.refuseIfUndelivered();

        assertThat(listener.idState().requestCount()).isZero();
        assertThat(second.closed).isTrue();
        release.countDown();
        await().until(() -> session.members().size() == 1);
        assertNothingIsLeftBut(listener);
        assertThat(told).hasSize(1);
    }

    @Test
    @DisplayName(
            "C5: whatever fails while an id is cleaned up, it is destroyed, its port is free and its stage completes")
    void cleanUpFails() throws RdmaException {
        AtomicReference<RuntimeException> failure = new AtomicReference<>();
        Surroundings failing = new Surroundings(
                () -> {
                    RuntimeException thrown = failure.get();
                    if (thrown != null) {
                        throw thrown;
                    }
                    return surroundings.configuration().get();
                },
                surroundings.dispatcher(),
                surroundings.devices(),
                surroundings.ports(),
                surroundings.sources(),
                surroundings.wildcards(),
                surroundings.numbers(),
                surroundings.observer());
        ConnectionId listener = listening(failing, event -> Verdict.KEEP);
        InetSocketAddress address = listener.localAddress();
        var destroyed = listener.destroyed().toCompletableFuture();
        failure.set(new IllegalStateException("the clean-up fails"));

        try {
            listener.destroy();
        } catch (IllegalStateException thrown) {
            assertThat(thrown).isSameAs(failure.get());
        }

        assertThat(listener.idState().isDestroyed()).isTrue();
        assertThat(session.members()).isEmpty();
        await().until(destroyed::isDone);
        ConnectionId next = ConnectionId.create(surroundings, session, PortSpace.TCP, null, event -> Verdict.KEEP);
        next.bindAddress(address);
    }

    /** What a consumer may throw: nothing can be logged of it. */
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("nothing can be said of it");
        }
    }

    @Test
    @DisplayName("C4: a throw from the callback of a request destroys its id, also if it cannot be logged")
    void requestThrowsTheUnspeakable() throws RdmaException {
        AtomicReference<ConnectionId> child = new AtomicReference<>();
        ConnectionId listener = listening(surroundings, event -> {
            child.set((ConnectionId) event.id());
            throw new Unspeakable();
        });

        ScriptedDevice.ScriptedEndpoint endpoint = device.listeners.get(0).request();

        await().until(() -> child.get() != null && child.get().idState().isDestroyed());
        assertThat(endpoint.closed).isTrue();
        assertNothingIsLeftBut(listener);
    }
}
