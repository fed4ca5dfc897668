package org.verbena.rdma.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.verbena.rdma.core.verbs.Failures.assertFails;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.QueuePairType;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.SharedReceiveQueue;
import org.verbena.rdma.core.guard.Gate;

class CreationTest extends VerbsFixture {
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64);

    @Test
    @DisplayName("Everything can be made, tells what it is, and is counted")
    void everything() throws Exception {
        ProtectionDomain domain = domain();
        CompletionChannel channel = channel();
        CompletionQueue queue = queue(channel);
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(10, 2);
        MemoryRegion region = domain.registerMemory(buffer, EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ));
        QueuePair queuePair =
                queuePair(domain, QueuePairConfiguration.reliable(queue).withSharedReceiveQueue(shared));

        assertThat(domain.device()).isSameAs(view);
        assertThat(domain.isOpen()).isTrue();
        assertThat(shared.protectionDomain()).isSameAs(domain);
        assertThat(region.protectionDomain()).isSameAs(domain);
        assertThat(region.length()).isEqualTo(64);
        assertThat(region.access()).containsExactlyInAnyOrder(Access.LOCAL_WRITE, Access.REMOTE_READ);
        assertThat(region.remoteKey()).isNotZero();
        assertThat(region.remoteAddress()).isEqualTo(0x1000L * region.remoteKey());
        assertThat(queue.entries()).isEqualTo(100);
        assertThat(queuePair.number()).isPositive();
        assertThat(queuePair.state()).isEqualTo(QueuePairState.READY);
        assertThat(queuePair.protectionDomain()).isSameAs(domain);
        assertThat(device.countsByKind())
                .isEqualTo(Map.of(
                        "queue pair", 1,
                        "shared receive queue", 1,
                        "memory region", 1,
                        "completion queue", 1,
                        "completion channel", 1,
                        "protection domain", 1));
        assertThat(device.countsByOwner()).isEqualTo(Map.of(owner, 6));
        assertThat(device.openObjects()).isEqualTo(6);
        assertThat(device.hasQueuePairs()).isTrue();
        assertThatThrownBy(() -> region.access().add(Access.REMOTE_WRITE))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @DisplayName(
            "The provider gets what remains of the buffer, from 0, in big-endian order; the caller's is not changed")
    void slice() throws Exception {
        buffer.order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, 1)
                .putInt(8, 0x01020304)
                .position(8)
                .limit(40);
        AtomicReference<ByteBuffer> seen = new AtomicReference<>();
        GuardedMemoryRegion region =
                (GuardedMemoryRegion) domain().registerMemory(buffer, EnumSet.of(Access.REMOTE_READ));
        seen.set(((FakeDevice.FakeRegion) region.provider()).buffer);
        buffer.clear();
        assertThat(seen.get().position()).isZero();
        assertThat(seen.get().limit()).isEqualTo(32);
        assertThat(seen.get().order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(seen.get().getInt(0)).isEqualTo(0x04030201);
        assertThat(region.length()).isEqualTo(32);
    }

    @Test
    @DisplayName("Memory that cannot be registered is refused in one sentence")
    void badMemory() throws Exception {
        ProtectionDomain domain = domain();
        assertThatThrownBy(() -> domain.registerMemory(ByteBuffer.allocate(8), Set.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not direct");
        assertThatThrownBy(() -> domain.registerMemory(buffer.duplicate().position(64), Set.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing remaining");
        for (Access right : EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC)) {
            assertThatThrownBy(() ->
                            domain.registerMemory(buffer.asReadOnlyBuffer(), EnumSet.of(Access.LOCAL_WRITE, right)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("read-only");
        }
        for (Access right : EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC)) {
            assertThatThrownBy(() -> domain.registerMemory(buffer, EnumSet.of(right)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("LOCAL_WRITE");
        }
        assertThat(domain.registerMemory(buffer.asReadOnlyBuffer(), EnumSet.of(Access.REMOTE_READ)))
                .isNotNull();
        assertFails(RdmaError.TOO_LARGE, () -> domain.registerMemory(ByteBuffer.allocateDirect(1 << 21), Set.of()));
        assertThatThrownBy(() -> domain.registerMemory(null, Set.of())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> domain.registerMemory(buffer, null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    @DisplayName("Sizes that the device does not take are refused, and the range is named")
    void sizes() throws Exception {
        ProtectionDomain domain = domain();
        CompletionQueue queue = queue();
        assertFails(RdmaError.INVALID_ARGUMENT, () -> device.createCompletionQueue(owner, view, 0, null))
                .hasMessageContaining("entries=0")
                .hasMessageContaining("1 to 10000");
        assertFails(RdmaError.INVALID_ARGUMENT, () -> device.createCompletionQueue(owner, view, 10_001, null));
        assertFails(RdmaError.INVALID_ARGUMENT, () -> domain.createSharedReceiveQueue(0, 1));
        assertFails(RdmaError.INVALID_ARGUMENT, () -> domain.createSharedReceiveQueue(1_001, 1));
        assertFails(RdmaError.INVALID_ARGUMENT, () -> domain.createSharedReceiveQueue(1, 5));
        QueuePairConfiguration good = QueuePairConfiguration.reliable(queue);
        assertFails(RdmaError.INVALID_ARGUMENT, () -> queuePair(domain, good.withDepth(1_001, 1)))
                .hasMessageContaining("maxSends=1001");
        assertFails(RdmaError.INVALID_ARGUMENT, () -> queuePair(domain, good.withDepth(1, 1_001)));
        assertFails(RdmaError.INVALID_ARGUMENT, () -> queuePair(domain, good.withSegments(5, 1)));
        assertFails(RdmaError.INVALID_ARGUMENT, () -> queuePair(domain, good.withSegments(1, 5)));
        assertFails(RdmaError.INVALID_ARGUMENT, () -> queuePair(domain, good.withInlineData(65)));
        assertThatThrownBy(() -> domain.createSendWorkRequest(5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> domain.createReceiveWorkRequest(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> queue.createWorkCompletions(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("What the device does not offer is refused")
    void capabilities() throws Exception {
        provider.capabilities.clear();
        VerbsDevice plain = new VerbsDevice("fake0", provider, guard, deviceGate, (whose, task) -> {}, () -> {});
        ProtectionDomain domain = plain.createProtectionDomain(owner, view);
        CompletionQueue queue = plain.createCompletionQueue(owner, view, 10, null);
        assertFails(RdmaError.NOT_SUPPORTED, () -> domain.createSharedReceiveQueue(1, 1));
        QueuePairConfiguration datagrams =
                new QueuePairConfiguration(QueuePairType.UNRELIABLE_DATAGRAM, queue, queue, null, 1, 1, 1, 1, 0);
        assertFails(
                RdmaError.NOT_SUPPORTED,
                () -> plain.createQueuePair(owner, view, provider.endpoint(), domain, datagrams, () -> {}));
    }

    @Test
    @DisplayName(
            "What belongs to another device or bundle is refused by name, what another session of the bundle made is not")
    void foreign() throws Exception {
        VerbsDevice other =
                new VerbsDevice("other0", new FakeDevice(), guard, new Gate("other"), (whose, task) -> {}, () -> {});
        ProtectionDomain domain = domain();
        CompletionQueue queue = queue();
        CompletionQueue foreignQueue = other.createCompletionQueue(owner, view, 10, null);
        assertThatThrownBy(() -> queuePair(domain, QueuePairConfiguration.reliable(foreignQueue)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("completion queue 1 of other0 is foreign");
        assertThatThrownBy(() ->
                        queuePair(other.createProtectionDomain(owner, view), QueuePairConfiguration.reliable(queue)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("protection domain 1 of other0");
        assertThatThrownBy(() -> queue(other.createCompletionChannel(owner, view)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("completion channel 1 of other0");
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(1, 1);
        assertThatThrownBy(() -> queuePair(
                        domain(), QueuePairConfiguration.reliable(queue).withSharedReceiveQueue(shared)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shared receive queue 1 of fake0 is in protection domain 1 of fake0");

        FakeOwner stranger = new FakeOwner("stranger");
        assertThatThrownBy(() -> device.createQueuePair(
                        stranger, view, provider.endpoint(), domain, QueuePairConfiguration.reliable(queue), () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("belongs to bundle consumer");
        assertThat(device.createQueuePair(
                        new FakeOwner("consumer"),
                        view,
                        provider.endpoint(),
                        domain,
                        QueuePairConfiguration.reliable(queue),
                        () -> {}))
                .isNotNull();
    }

    @Test
    @DisplayName("A creation that the provider refuses leaves nothing")
    void refused() throws Exception {
        ProtectionDomain domain = domain();
        CompletionQueue queue = queue();
        int before = device.openObjects();
        provider.on("createQueuePair", () -> {
            throw FakeDevice.noMemory();
        });
        provider.on("registerMemory", () -> {
            throw FakeDevice.noMemory();
        });
        assertFails(RdmaError.NO_MEMORY, () -> queuePair(domain, queue)).hasMessage("the queue is full");
        assertFails(RdmaError.NO_MEMORY, () -> region(domain));
        assertThat(device.openObjects()).isEqualTo(before);
        domain.close();
        queue.close();
        assertThat(provider.open()).isZero();
        assertThat(device.openObjects()).isZero();
    }

    @Test
    @DisplayName("C10: a marked device makes nothing any more; what there is goes on")
    void marked() throws Exception {
        ProtectionDomain domain = domain();
        CompletionQueue queue = queue();
        MemoryRegion region = region(domain);
        QueuePair queuePair = queuePair(domain, queue);
        device.mark();
        assertThatThrownBy(this::domain)
                .isInstanceOf(DeviceRemovedException.class)
                .hasMessageContaining("fake0");
        assertThatThrownBy(this::queue).isInstanceOf(DeviceRemovedException.class);
        assertThatThrownBy(this::channel).isInstanceOf(DeviceRemovedException.class);
        assertThatThrownBy(() -> region(domain)).isInstanceOf(DeviceRemovedException.class);
        assertThatThrownBy(() -> domain.createSharedReceiveQueue(1, 1)).isInstanceOf(DeviceRemovedException.class);
        assertThatThrownBy(() -> queuePair(domain, queue)).isInstanceOf(DeviceRemovedException.class);

        queuePair.postSend(send(domain, region, 7));
        fake(queuePair).complete();
        assertThat(queue.poll(queue.createWorkCompletions(1))).isEqualTo(1);
        queuePair.close();
        region.close();
        domain.close();
        queue.close();
        assertThat(provider.open()).isZero();
    }

    @Test
    @DisplayName("C12: an ended session makes nothing any more")
    void ended() throws Exception {
        ProtectionDomain domain = domain();
        owner.end();
        assertFails(RdmaError.CONNECTION_ABORTED, this::queue);
        assertFails(RdmaError.CONNECTION_ABORTED, () -> region(domain));
        assertThat(device.openObjects()).isEqualTo(1);
    }
}
