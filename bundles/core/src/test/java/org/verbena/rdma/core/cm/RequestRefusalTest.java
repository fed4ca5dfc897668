package org.verbena.rdma.core.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.device.DeviceRank;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.Unpublished;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.core.session.Session;

/** Who frees the endpoint of a request that is refused, when its id is destroyed at the same moment. */
class RequestRefusalTest {
    private final Core core = new Core(CoreConfiguration.DEFAULTS, new Unpublished(), destination -> null);
    private final ScriptedDevice device = new ScriptedDevice("d0", "192.0.2.1");
    private final Session session = core.openSession("consumer", -1, CmVersion.CURRENT);

    @AfterEach
    void stop() {
        core.stop();
        assertThat(device.violations).isEmpty();
    }

    @Test
    @DisplayName("C17: a request that is refused while its id is destroyed is freed by one of the two")
    void refusedWhileDestroyed() throws RdmaException {
        core.devices().offer(device, new DeviceRank(0, 1));
        await().until(() -> !core.devices().book().devices().isEmpty());
        ConnectionId listener = ConnectionId.create(
                ((SessionConnectionManager) core.connectionManager(session)).surroundings(),
                session,
                PortSpace.TCP,
                null,
                event -> Verdict.KEEP);
        listener.bindAddress(new InetSocketAddress("192.0.2.1", 0));
        listener.listen(1);
        AtomicReference<Object> taken = new AtomicReference<>();
        Counting endpoint = new Counting();
        Thread upcall = new Thread(
                () -> taken.set(device.listeners.get(0).upcalls.request(endpoint, ConnectionParameters.defaults())));

        synchronized (listener.idState()) {
            // The backlog is full, and the upcall stops where it would find that out.
            listener.idState().setBacklog(0);
            upcall.start();
            await().until(() -> upcall.getState() == Thread.State.BLOCKED);
            session.members().stream().filter(member -> member != listener).forEach(child -> child.endWithSession());
        }
        await().until(() -> !upcall.isAlive());

        // Refused and not closed, or closed and not refused.
        assertThat(endpoint.closes).isEqualTo(taken.get() == null ? 0 : 1);
    }

    /** An endpoint that counts its closes. */
    private static final class Counting implements org.verbena.rdma.spi.Endpoint {
        private volatile int closes;

        @Override
        public InetSocketAddress localAddress() {
            return new InetSocketAddress("192.0.2.1", 1);
        }

        @Override
        public InetSocketAddress peerAddress() {
            return new InetSocketAddress("192.0.2.2", 1);
        }

        @Override
        public void resolveRoute(java.time.Duration timeout) {}

        @Override
        public org.verbena.rdma.spi.ProviderQueuePair createQueuePair(
                org.verbena.rdma.spi.QueuePairResources resources,
                org.verbena.rdma.QueuePairConfiguration configuration) {
            throw new AssertionError("not asked for");
        }

        @Override
        public void connect(ConnectionParameters parameters) {}

        @Override
        public void establish() {}

        @Override
        public void accept(ConnectionParameters parameters) {}

        @Override
        public void reject(java.nio.ByteBuffer privateData) {}

        @Override
        public void disconnect() {}

        @Override
        public void close() {
            closes++;
        }
    }
}
