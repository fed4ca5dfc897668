package org.verbena.rdma.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.guard.Threads;

/** A device with a fake provider. After each test the provider must have been used as it wants to be. */
abstract class VerbsFixture {
    final FakeDevice provider = new FakeDevice();
    final Guard guard = new Guard();
    final Gate deviceGate = new Gate("device fake0");
    final FakeOwner owner = new FakeOwner("consumer");
    final FakeView view = new FakeView();
    final Threads threads = new Threads();
    final AtomicInteger changes = new AtomicInteger();
    final List<Runnable> dispatched = new CopyOnWriteArrayList<>();
    final VerbsDevice device = new VerbsDevice(
            "fake0", provider, guard, deviceGate, (whose, task) -> dispatched.add(task), changes::incrementAndGet);
    private final Map<QueuePair, AtomicInteger> closedCalls = new ConcurrentHashMap<>();

    @AfterEach
    void providerIsContent() {
        threads.close();
        assertThat(provider.violations()).isEmpty();
        assertThat(guard.inside(deviceGate)).isEmpty();
    }

    static long soon() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    }

    static long now() {
        return System.nanoTime();
    }

    ProtectionDomain domain() throws RdmaException {
        return device.createProtectionDomain(owner, view);
    }

    CompletionQueue queue() throws RdmaException {
        return device.createCompletionQueue(owner, view, 100, null);
    }

    CompletionQueue queue(CompletionChannel channel) throws RdmaException {
        return device.createCompletionQueue(owner, view, 100, channel);
    }

    CompletionChannel channel() throws RdmaException {
        return device.createCompletionChannel(owner, view);
    }

    QueuePair queuePair(ProtectionDomain domain, CompletionQueue queue) throws RdmaException {
        return queuePair(domain, QueuePairConfiguration.reliable(queue).withSegments(2, 2));
    }

    QueuePair queuePair(ProtectionDomain domain, QueuePairConfiguration configuration) throws RdmaException {
        AtomicInteger closed = new AtomicInteger();
        assertThat(guard.enter(deviceGate)).isTrue();
        try {
            QueuePair made = device.createQueuePair(
                    owner, view, provider.endpoint(), domain, configuration, closed::incrementAndGet);
            closedCalls.put(made, closed);
            return made;
        } finally {
            guard.exit();
        }
    }

    /** How often the id was told that its queue pair is closed. */
    int closedCalls(QueuePair queuePair) {
        return closedCalls.get(queuePair).get();
    }

    static MemoryRegion region(ProtectionDomain domain) throws RdmaException {
        return domain.registerMemory(ByteBuffer.allocateDirect(256), EnumSet.of(Access.LOCAL_WRITE));
    }

    static SendWorkRequest send(ProtectionDomain domain, MemoryRegion region, long id) {
        return domain.createSendWorkRequest(2).send().workRequestId(id).segment(region, 0, 16);
    }

    /** The provider's object behind one of core's. */
    static FakeQueuePair fake(QueuePair queuePair) {
        return (FakeQueuePair) ((GuardedQueuePair) queuePair).provider();
    }

    /** The provider's object behind one of core's. */
    static FakeCompletionQueue fake(CompletionQueue queue) {
        return (FakeCompletionQueue) ((GuardedCompletionQueue) queue).provider();
    }

    /** Runs what was dispatched. */
    void runDispatched() {
        for (Runnable task : dispatched) {
            dispatched.remove(task);
            task.run();
        }
    }

    /** The whole removal, as the device does it from its sixth step on. */
    void remove() {
        device.mark();
        device.revoke(soon());
        guard.shut(deviceGate);
        assertThat(guard.awaitOutside(deviceGate, soon())).isTrue();
        device.close();
    }
}
