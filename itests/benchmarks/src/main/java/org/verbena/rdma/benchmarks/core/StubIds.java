package org.verbena.rdma.benchmarks.core;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;

/** Many ids of one consumer on a {@link StubDevice}. */
final class StubIds {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Platform platform;
    private final StubDevice device;
    private final RdmaDevice view;

    StubIds(Platform platform, StubDevice device) {
        this.platform = platform;
        this.device = device;
        view = platform.device(device.name());
    }

    /** A handler that goes through all of a connection's set-up and then hands on to another. */
    private final class SetUp implements EventHandler {
        private final QueuePairConfiguration configuration;
        private final ProtectionDomain domain;
        private final EventHandler afterwards;
        private final CountDownLatch ready;

        SetUp(
                ProtectionDomain domain,
                QueuePairConfiguration configuration,
                EventHandler afterwards,
                CountDownLatch ready) {
            this.domain = domain;
            this.configuration = configuration;
            this.afterwards = afterwards;
            this.ready = ready;
        }

        @Override
        public Verdict onEvent(CmEvent event) throws RdmaException {
            switch (event.type()) {
                case ADDR_RESOLVED -> {
                    if (configuration == null) {
                        ready(event.id());
                    } else {
                        event.id().resolveRoute(TIMEOUT);
                    }
                }
                case ROUTE_RESOLVED -> {
                    event.id().createQueuePair(domain, configuration);
                    event.id().connect(ConnectionParameters.defaults());
                }
                case ESTABLISHED -> ready(event.id());
                default -> throw new IllegalStateException("unexpected: " + event);
            }
            return Verdict.KEEP;
        }

        private void ready(CmId id) {
            id.handler(afterwards);
            ready.countDown();
        }
    }

    /** Ids that are resolved: bound to the device, each with an endpoint. */
    List<CmId> resolved(int count, EventHandler handler) throws RdmaException, InterruptedException {
        return make(count, handler, null, null);
    }

    /** Ids that are connected, each with a queue pair; domain and completion queue are shared. */
    List<CmId> connected(int count, EventHandler handler) throws RdmaException, InterruptedException {
        CompletionQueue queue = view.createCompletionQueue(16, null);
        return make(count, handler, view.createProtectionDomain(), QueuePairConfiguration.reliable(queue));
    }

    private List<CmId> make(
            int count, EventHandler handler, ProtectionDomain domain, QueuePairConfiguration configuration)
            throws RdmaException, InterruptedException {
        CountDownLatch ready = new CountDownLatch(count);
        EventHandler setUp = new SetUp(domain, configuration, handler, ready);
        List<CmId> ids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            CmId id = platform.connectionManager().createId(PortSpace.TCP, setUp);
            id.resolveAddress(null, new InetSocketAddress(device.addresses().get(0), 4711), TIMEOUT);
            ids.add(id);
        }
        await(ready);
        return ids;
    }

    static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException(
                    "nothing has happened for two minutes: " + latch.getCount() + " are missing");
        }
    }
}
