package org.verbena.rdma.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;

class BlackboardTest {
    private static final int TEXT = 5;

    private final LoopbackBench bench = new LoopbackBench();

    @BeforeEach
    void activate() throws Exception {
        new Blackboard(bench.connectionManager());
    }

    @AfterEach
    void stop() {
        bench.close();
    }

    @Test
    void whatOnePeerWritesAnotherReadsAndNothingIsLeftOfThem() throws Exception {
        try (Peer writer = new Peer()) {
            writer.write("hello");
        }
        try (Peer reader = new Peer()) {
            assertThat(reader.read()).isEqualTo("hello");
        }
        assertNothingIsLeft();
    }

    @Test
    void theBoardOutlivesItsDevice() throws Exception {
        Peer writer = new Peer();
        writer.write("hello");

        bench.unplug();
        bench.plug();

        assertThat(writer.event(CmEventType.DEVICE_REMOVAL)).isNotNull();
        try (Peer reader = new Peer()) {
            assertThat(reader.read()).isEqualTo("hello");
        }
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() {
        await().until(() -> bench.monitor().snapshot().connections().isEmpty());
        await().untilAsserted(() -> assertThat(bench.monitor().snapshot().devices())
                .allSatisfy(device -> assertThat(device.verbsObjects()).isEmpty()));
    }

    /** The other end. */
    private final class Peer implements AutoCloseable {
        private final Queue<CmEvent> events = new ConcurrentLinkedQueue<>();
        private final CmId id;
        private final ProtectionDomain domain;
        private final CompletionQueue completions;
        private final MemoryRegion region;
        private final QueuePair queuePair;
        private final ByteBuffer text = ByteBuffer.allocateDirect(TEXT);
        private final long address;
        private final int key;

        Peer() throws Exception {
            id = bench.connectionManager().createId(PortSpace.TCP, this::onEvent);
            id.resolveAddress(null, new InetSocketAddress(LoopbackBench.ADDRESS, 4711), Duration.ofSeconds(2));
            event(CmEventType.ADDR_RESOLVED);
            id.resolveRoute(Duration.ofSeconds(2));
            event(CmEventType.ROUTE_RESOLVED);
            domain = id.device().createProtectionDomain();
            completions = id.device().createCompletionQueue(4, null);
            region = domain.registerMemory(text, Set.of(Access.LOCAL_WRITE));
            queuePair = id.createQueuePair(
                    domain, QueuePairConfiguration.reliable(completions).withDepth(2, 1));
            id.connect(ConnectionParameters.defaults());
            ByteBuffer where = event(CmEventType.ESTABLISHED).privateData();
            address = where.getLong();
            key = where.getInt();
        }

        void write(String written) throws Exception {
            text.put(0, written.getBytes(US_ASCII));
            carryOut(domain.createSendWorkRequest(1).write(address, key));
        }

        String read() throws Exception {
            carryOut(domain.createSendWorkRequest(1).read(address, key));
            byte[] bytes = new byte[TEXT];
            text.get(0, bytes);
            return new String(bytes, US_ASCII);
        }

        CmEvent event(CmEventType type) {
            await().until(() -> !events.isEmpty());
            CmEvent event = events.remove();
            assertThat(event.type()).isEqualTo(type);
            return event;
        }

        @Override
        public void close() throws RdmaException {
            id.disconnect();
            event(CmEventType.DISCONNECTED);
            id.destroy();
            region.close();
            completions.close();
            domain.close();
        }

        private Verdict onEvent(CmEvent event) {
            events.add(event);
            return event.type() == CmEventType.DEVICE_REMOVAL ? Verdict.DESTROY : Verdict.KEEP;
        }

        private void carryOut(SendWorkRequest request) throws Exception {
            queuePair.postSend(request.segment(region, 0, TEXT));
            WorkCompletions polled = completions.createWorkCompletions(1);
            await().until(() -> completions.poll(polled) == 1);
            assertThat(polled.status(0)).isEqualTo(WorkCompletionStatus.SUCCESS);
        }
    }
}
