package org.verbena.rdma.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.verbena.rdma.core.verbs.Failures.assertFails;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.ReceiveWorkRequest;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.SharedReceiveQueue;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.spi.SendRequest;

class PostTest extends VerbsFixture {
    private ProtectionDomain domain;
    private CompletionQueue queue;
    private QueuePair queuePair;
    private MemoryRegion region;
    private MemoryRegion readOnly;

    @BeforeEach
    void connect() throws RdmaException {
        domain = domain();
        queue = queue();
        queuePair = queuePair(
                domain,
                QueuePairConfiguration.reliable(queue).withSegments(2, 2).withInlineData(32));
        region = region(domain);
        readOnly = domain.registerMemory(ByteBuffer.allocateDirect(8_192), Set.of());
    }

    @Test
    @DisplayName("What was posted is polled, with what the provider says of it")
    void postAndPoll() throws Exception {
        queuePair.postSend(send(domain, region, 42));
        queuePair.postReceive(
                domain.createReceiveWorkRequest(1).workRequestId(43).segment(region, 0, 256));
        WorkCompletions completions = queue.createWorkCompletions(4);
        assertThat(queue.poll(completions)).isZero();
        fake(queuePair).complete();
        queuePair.fail();
        assertThat(queue.poll(completions)).isEqualTo(2);
        assertThat(completions.count()).isEqualTo(2);
        assertThat(completions.workRequestId(0)).isEqualTo(42);
        assertThat(completions.status(0)).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(completions.queuePairNumber(0)).isEqualTo(queuePair.number());
        assertThat(completions.workRequestId(1)).isEqualTo(43);
        assertThat(completions.status(1)).isEqualTo(WorkCompletionStatus.FLUSHED);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        queuePair.postSend(send(domain, region, 44));
        assertThat(queue.poll(completions)).isEqualTo(1);
        assertThat(completions.workRequestId(0)).isEqualTo(44);
        assertThatThrownBy(() -> completions.status(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    @DisplayName("The provider reads the request itself, with its own regions")
    void request() throws Exception {
        SendWorkRequest request = domain.createSendWorkRequest(2)
                .workRequestId(-1)
                .writeWithImmediate(0xFFFF_0000_0000_0001L, 77, 99)
                .segment(region, 1, 2)
                .segment(readOnly, 3, 4)
                .signaled(false)
                .solicited(true)
                .fenced(true)
                .inline(true);
        AtomicReference<SendRequest> seen = new AtomicReference<>((SendRequest) request);
        queuePair.postSend(request);
        SendRequest read = seen.get();
        assertThat(read.workRequestId()).isEqualTo(-1);
        assertThat(read.operation()).isEqualTo(SendOperation.WRITE_WITH_IMMEDIATE);
        assertThat(read.remoteAddress()).isEqualTo(0xFFFF_0000_0000_0001L);
        assertThat(read.remoteKey()).isEqualTo(77);
        assertThat(read.immediateData()).isEqualTo(99);
        assertThat(read.segmentCount()).isEqualTo(2);
        assertThat(read.region(0).remoteKey()).isEqualTo(region.remoteKey());
        assertThat(read.region(1).remoteKey()).isEqualTo(readOnly.remoteKey());
        assertThat(read.offset(1)).isEqualTo(3);
        assertThat(read.length(1)).isEqualTo(4);
        assertThat(read.totalLength()).isEqualTo(6);
        assertThat(read.isSignaled()).isFalse();
        assertThat(read.isSolicited()).isTrue();
        assertThat(read.isFenced()).isTrue();
        assertThat(read.isInline()).isTrue();
        request.compareAndSwap(8, 1, 2, 3);
        assertThat(read.compareOrAdd()).isEqualTo(2);
        assertThat(read.swap()).isEqualTo(3);
        request.fetchAndAdd(16, 1, 5);
        assertThat(read.compareOrAdd()).isEqualTo(5);
        request.sendWithInvalidate(9);
        assertThat(read.operation()).isEqualTo(SendOperation.SEND_WITH_INVALIDATE);
        assertThat(read.remoteKey()).isEqualTo(9);
        request.clear();
        assertThat(read.segmentCount()).isZero();
        assertThat(read.totalLength()).isZero();
        assertThat(read.isSignaled()).isTrue();
        assertThatThrownBy(() -> read.region(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    @DisplayName("Segments that do not fit are refused when they are named")
    void segments() throws Exception {
        SendWorkRequest request = domain.createSendWorkRequest(1);
        assertThatThrownBy(() -> request.segment(region, -1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> request.segment(region, 0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> request.segment(region, 250, 7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("256 bytes");
        assertThatThrownBy(() -> request.segment(region, Long.MAX_VALUE, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> request.segment(region, 1, Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
        request.segment(region, 256, 0);
        assertThatThrownBy(() -> request.segment(region, 0, 1)).isInstanceOf(IllegalStateException.class);
        request.clearSegments().segment(region, 0, 256);
        MemoryRegion elsewhere = region(domain());
        assertThatThrownBy(() -> domain.createSendWorkRequest(1).segment(elsewhere, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memory region 3 of fake0 is not in protection domain 1 of fake0");
        assertThatThrownBy(() -> domain.createSendWorkRequest(1).segment(null, 0, 1))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> domain.createReceiveWorkRequest(1).segment(readOnly, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("LOCAL_WRITE");
    }

    @Test
    @DisplayName("A request of another domain, or of no domain, is refused")
    void foreignRequest() throws Exception {
        ProtectionDomain other = domain();
        assertThatThrownBy(
                        () -> queuePair.postSend(other.createSendWorkRequest(1).send()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("protection domain 1 of fake0");
        assertThatThrownBy(() -> queuePair.postReceive(other.createReceiveWorkRequest(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> queuePair.postSend(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> queuePair.postReceive(null)).isInstanceOf(NullPointerException.class);
        SendWorkRequest home = (SendWorkRequest) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {SendWorkRequest.class},
                (proxy, method, arguments) -> null);
        assertThatThrownBy(() -> queuePair.postSend(home)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("A request that the queue pair or the device cannot carry out is refused")
    void badRequests() throws Exception {
        SendWorkRequest request = domain.createSendWorkRequest(4);
        assertThatThrownBy(() -> queuePair.postSend(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not filled in");
        request.send().segment(region, 0, 1).segment(region, 0, 1).segment(region, 0, 1);
        assertThatThrownBy(() -> queuePair.postSend(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 segments")
                .hasMessageContaining("up to 2");
        ReceiveWorkRequest receive = domain.createReceiveWorkRequest(4)
                .segment(region, 0, 1)
                .segment(region, 0, 1)
                .segment(region, 0, 1);
        assertThatThrownBy(() -> queuePair.postReceive(receive)).isInstanceOf(IllegalArgumentException.class);
        request.clear().write(1, 2).segment(readOnly, 0, 4_097);
        assertFails(RdmaError.TOO_LARGE, () -> queuePair.postSend(request)).hasMessageContaining("4096");
        request.clear().send().segment(readOnly, 0, 33).inline(true);
        assertFails(RdmaError.TOO_LARGE, () -> queuePair.postSend(request)).hasMessageContaining("up to 32");
        request.clear().read(1, 2).segment(region, 0, 8).inline(true);
        assertThatThrownBy(() -> queuePair.postSend(request)).isInstanceOf(IllegalArgumentException.class);
        request.clear().read(1, 2).segment(readOnly, 0, 8);
        assertFails(RdmaError.BAD_ADDRESS, () -> queuePair.postSend(request)).hasMessageContaining("LOCAL_WRITE");
        request.clear().fetchAndAdd(8, 2, 1).segment(readOnly, 0, 8);
        assertFails(RdmaError.BAD_ADDRESS, () -> queuePair.postSend(request));
        request.clear().fetchAndAdd(8, 2, 1).segment(region, 0, 4);
        assertThatThrownBy(() -> queuePair.postSend(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("8 bytes");
        assertThatThrownBy(() -> request.compareAndSwap(4, 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("divisible by 8");
        request.clear().write(1, 2).segment(readOnly, 0, 8);
        queuePair.postSend(request);
    }

    @Test
    @DisplayName("An operation that the device lacks is refused")
    void capabilities() throws Exception {
        provider.capabilities.clear();
        VerbsDevice plain = new VerbsDevice("fake0", provider, guard, deviceGate, (whose, task) -> {}, () -> {});
        ProtectionDomain plainDomain = plain.createProtectionDomain(owner, view);
        CompletionQueue plainQueue = plain.createCompletionQueue(owner, view, 10, null);
        QueuePair plainPair = plain.createQueuePair(
                owner, view, provider.endpoint(), plainDomain, QueuePairConfiguration.reliable(plainQueue), () -> {});
        MemoryRegion sink = region(plainDomain);
        SendWorkRequest request = plainDomain.createSendWorkRequest(1).segment(sink, 0, 8);
        assertFails(RdmaError.NOT_SUPPORTED, () -> plainPair.postSend(request.sendWithImmediate(1)));
        assertFails(RdmaError.NOT_SUPPORTED, () -> plainPair.postSend(request.writeWithImmediate(1, 2, 1)));
        assertFails(RdmaError.NOT_SUPPORTED, () -> plainPair.postSend(request.sendWithInvalidate(1)));
        assertFails(RdmaError.NOT_SUPPORTED, () -> plainPair.postSend(request.fetchAndAdd(8, 1, 1)));
        assertFails(RdmaError.NOT_SUPPORTED, () -> plainPair.postSend(request.compareAndSwap(8, 1, 1, 1)));
        plainPair.postSend(request.read(1, 2));
    }

    @Test
    @DisplayName("Immediate data without the capability to send it with bytes goes alone or with a write")
    void immediateDataAlone() throws Exception {
        provider.capabilities.remove(DeviceCapability.SEND_WITH_IMMEDIATE_DATA);
        VerbsDevice plain = new VerbsDevice("fake0", provider, guard, deviceGate, (whose, task) -> {}, () -> {});
        ProtectionDomain plainDomain = plain.createProtectionDomain(owner, view);
        CompletionQueue plainQueue = plain.createCompletionQueue(owner, view, 10, null);
        QueuePair plainPair = plain.createQueuePair(
                owner, view, provider.endpoint(), plainDomain, QueuePairConfiguration.reliable(plainQueue), () -> {});
        MemoryRegion source = region(plainDomain);
        SendWorkRequest request = plainDomain.createSendWorkRequest(1).segment(source, 0, 8);
        assertFails(RdmaError.NOT_SUPPORTED, () -> plainPair.postSend(request.sendWithImmediate(1)));
        plainPair.postSend(request.writeWithImmediate(1, 2, 1));
        plainPair.postSend(request.clear().sendWithImmediate(1));
    }

    @Test
    @DisplayName("C19: a request that names a closed region is refused")
    void closedRegion() throws Exception {
        SendWorkRequest request = send(domain, region, 1);
        ReceiveWorkRequest receive = domain.createReceiveWorkRequest(1).segment(region, 0, 1);
        queuePair.postSend(request);
        queuePair.postReceive(receive);
        region.close();
        assertFails(RdmaError.BAD_ADDRESS, () -> queuePair.postSend(request))
                .hasMessageContaining("memory region 1 of fake0 is closed");
        assertFails(RdmaError.BAD_ADDRESS, () -> queuePair.postReceive(receive));
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(1, 1);
        assertFails(RdmaError.BAD_ADDRESS, () -> shared.postReceive(receive));
    }

    @Test
    @DisplayName("C19: a closed region is refused also when it is named in a request that was just posted")
    void closedRegionNamedLater() throws Exception {
        MemoryRegion closed = region(domain);
        closed.close();
        SendWorkRequest request = send(domain, region, 1);
        queuePair.postSend(request);
        request.clearSegments().segment(closed, 0, 1);
        assertFails(RdmaError.BAD_ADDRESS, () -> queuePair.postSend(request));
    }

    @Test
    @DisplayName("A full queue is reported as the provider reports it")
    void full() throws Exception {
        SendWorkRequest request = send(domain, region, 1);
        for (int i = 0; i < 32; i++) {
            queuePair.postSend(request);
        }
        assertFails(RdmaError.NO_MEMORY, () -> queuePair.postSend(request)).hasMessage("the queue is full");
    }

    @Test
    @DisplayName("A send before the connection is there names the state")
    void notConnected() {
        fake(queuePair).become(QueuePairState.INITIALIZED);
        provider.on("postSend", () -> {
            throw new IllegalStateException("not yet");
        });
        assertThatThrownBy(() -> queuePair.postSend(send(domain, region, 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not connected yet");
    }

    @Test
    @DisplayName("A shared receive queue takes the receives, the queue pair does not")
    void shared() throws Exception {
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(10, 1);
        QueuePair sharing =
                queuePair(domain, QueuePairConfiguration.reliable(queue).withSharedReceiveQueue(shared));
        ReceiveWorkRequest receive = domain.createReceiveWorkRequest(2).segment(region, 0, 1);
        assertThatThrownBy(() -> sharing.postReceive(receive))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shared receive queue");
        shared.postReceive(receive);
        receive.segment(region, 0, 1);
        assertThatThrownBy(() -> shared.postReceive(receive)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shared.postReceive(domain().createReceiveWorkRequest(1)))
                .isInstanceOf(IllegalArgumentException.class);
        provider.on("postReceive", () -> {
            throw FakeDevice.noMemory();
        });
        assertFails(RdmaError.NO_MEMORY, () -> shared.postReceive(domain.createReceiveWorkRequest(1)));
    }

    @Test
    @DisplayName("Whether work may be outstanding is known of a queue pair")
    void mayHaveWork() throws Exception {
        assertThat(device.mayHaveWork(queuePair)).isFalse();
        queuePair.postReceive(domain.createReceiveWorkRequest(1));
        assertThat(device.mayHaveWork(queuePair)).isTrue();
        queuePair.fail();
        assertThat(device.mayHaveWork(queuePair)).isFalse();
    }

    @Test
    @DisplayName("Access rights may come in any set")
    void accessSets() throws Exception {
        assertThat(domain.registerMemory(ByteBuffer.allocateDirect(1), EnumSet.allOf(Access.class))
                        .access())
                .containsExactlyInAnyOrder(Access.values());
    }
}
