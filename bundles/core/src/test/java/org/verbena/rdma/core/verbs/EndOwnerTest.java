package org.verbena.rdma.core.verbs;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.verbena.rdma.core.verbs.Failures.assertFails;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SharedReceiveQueue;
import org.verbena.rdma.VerbsObject;
import org.verbena.rdma.core.guard.Pause;
import org.verbena.rdma.core.guard.Threads;

class EndOwnerTest extends VerbsFixture {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final FakeOwner other = new FakeOwner("consumer");
    private ProtectionDomain domain;
    private CompletionChannel channel;
    private CompletionQueue queue;
    private QueuePair queuePair;
    private MemoryRegion region;

    @BeforeEach
    void connect() throws RdmaException {
        domain = domain();
        channel = channel();
        queue = queue(channel);
        queuePair = queuePair(domain, queue);
        region = region(domain);
    }

    private void end(long deadlineNanos) {
        owner.end();
        device.endOwner(owner, deadlineNanos);
    }

    @Test
    @DisplayName("C12: everything of the session is closed, in order, and says so; nothing of others is")
    void everything() throws Exception {
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(1, 1);
        ProtectionDomain others = device.createProtectionDomain(other, view);
        end(soon());
        assertThat(provider.closes())
                .containsExactly(
                        "queue pair", "shared receive queue", "memory region", "completion queue", "protection domain");
        assertThat(device.countsByOwner()).isEqualTo(Map.of(other, 1));
        for (VerbsObject object : List.of(domain, channel, queue, queuePair, region, shared)) {
            assertThat(object.isOpen()).isFalse();
            object.close();
        }
        assertFails(RdmaError.CONNECTION_ABORTED, () -> queuePair.postSend(send(domain, region, 1)))
                .hasMessageContaining("has ended with the session of consumer");
        assertFails(RdmaError.CONNECTION_ABORTED, () -> queue.poll(queue.createWorkCompletions(1)));
        assertFails(RdmaError.CONNECTION_ABORTED, () -> queue.requestNotification(false));
        assertFails(RdmaError.CONNECTION_ABORTED, () -> channel.await(ZERO));
        assertFails(RdmaError.CONNECTION_ABORTED, () -> region(domain));
        assertThat(others.isOpen()).isTrue();
        assertThat(closedCalls(queuePair)).isEqualTo(1);
        others.close();
    }

    @Test
    @DisplayName("C12: waiting threads wake")
    void wakes() throws Exception {
        List<Threads.Running<CompletionQueue>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(threads.call(() -> channel.await(LONG)));
        }
        for (Threads.Running<CompletionQueue> each : waiting) {
            each.awaitWaiting();
        }
        end(soon());
        for (Threads.Running<CompletionQueue> each : waiting) {
            assertFails(RdmaError.CONNECTION_ABORTED, each::get).hasMessageContaining("session of consumer");
        }
    }

    @Test
    @DisplayName("C12: what another session of the bundle has made of it goes as well, and its owner is told")
    void cascade() throws Exception {
        AtomicInteger closed = new AtomicInteger();
        QueuePair dependent = device.createQueuePair(
                other,
                view,
                provider.endpoint(),
                domain,
                QueuePairConfiguration.reliable(queue),
                closed::incrementAndGet);
        AtomicInteger told = new AtomicInteger();
        dependent.onRevoked(told::incrementAndGet);
        end(soon());
        assertThat(dependent.isOpen()).isFalse();
        assertThat(closed.get()).isEqualTo(1);
        runDispatched();
        assertThat(told.get()).isEqualTo(1);
        assertFails(RdmaError.CONNECTION_ABORTED, dependent::fail);
        assertThat(device.openObjects()).isZero();
    }

    @Test
    @DisplayName("C12: the end of the session that made the queue pair leaves the other session's objects")
    void endOfDependent() throws Exception {
        QueuePair dependent = device.createQueuePair(
                other, view, provider.endpoint(), domain, QueuePairConfiguration.reliable(queue), () -> {});
        other.end();
        device.endOwner(other, soon());
        assertThat(dependent.isOpen()).isFalse();
        assertThat(queuePair.isOpen()).isTrue();
        queuePair.postSend(send(domain, region, 1));
    }

    @Test
    @DisplayName("C12: what is being made when the session ends is never seen, and nothing is left of it")
    void creationRacesWithEnd() throws Exception {
        Pause inRegister = new Pause();
        provider.on("registerMemory", inRegister::run);
        Threads.Running<MemoryRegion> making = threads.call(() -> region(domain));
        inRegister.awaitReached();
        Threads.Running<Void> ending = threads.run(() -> end(soon()));
        ending.awaitWaitingIn("OpenObjects");
        assertThat(provider.closes()).doesNotContain("protection domain");
        inRegister.release();
        assertFails(RdmaError.CONNECTION_ABORTED, making::get);
        ending.get();
        assertThat(provider.open()).isZero();
        assertThat(device.openObjects()).isZero();
    }

    @Test
    @DisplayName("C12: a close by the owner that is under way is waited for")
    void closeRacesWithEnd() throws Exception {
        Pause inClose = new Pause();
        provider.on("close queue pair", inClose::run);
        Threads.Running<Void> closing = threads.run(queuePair::close);
        inClose.awaitReached();
        Threads.Running<Void> ending = threads.run(() -> end(soon()));
        ending.awaitWaitingIn("OpenObjects");
        assertThat(provider.closes()).doesNotContain("completion queue", "protection domain");
        inClose.release();
        closing.get();
        ending.get();
        assertThat(provider.open()).isZero();
        assertThat(closedCalls(queuePair)).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "C12: a thread that is inside a post is waited for until the deadline, and the rest left to the removal")
    void postRacesWithEnd() throws Exception {
        Pause inPost = new Pause();
        provider.on("postSend", inPost::run);
        Threads.Running<Void> posting = threads.run(() -> queuePair.postSend(send(domain, region, 1)));
        inPost.awaitReached();
        end(now());
        assertThat(provider.closes()).isEmpty();
        assertFails(RdmaError.CONNECTION_ABORTED, () -> queuePair.postSend(send(domain, region, 2)));
        inPost.release();
        posting.get();
        device.endOwner(owner, soon());
        assertThat(provider.open()).isZero();
    }

    @Test
    @DisplayName("C12: a close by the owner is waited for also where nothing else depends on it")
    void closeOfLoneObjectRacesWithEnd() throws Exception {
        CompletionQueue lone = queue();
        Pause inClose = new Pause();
        provider.on("close completion queue", inClose::run);
        Threads.Running<Void> closing = threads.run(lone::close);
        inClose.awaitReached();
        provider.off("close completion queue");
        Threads.Running<Void> ending = threads.run(() -> end(soon()));
        ending.awaitWaitingIn("OpenObjects");
        assertThat(device.countsByKind()).containsOnlyKeys("completion queue");
        inClose.release();
        closing.get();
        ending.get();
        assertThat(provider.open()).isZero();
    }

    @Test
    @DisplayName("C12: waiting threads wake although another thread of the session hangs in the provider")
    void wakesBesideHungThread() throws Exception {
        Pause inPost = new Pause();
        provider.on("postSend", inPost::run);
        Threads.Running<Void> posting = threads.run(() -> queuePair.postSend(send(domain, region, 1)));
        inPost.awaitReached();
        Threads.Running<CompletionQueue> waiting = threads.call(() -> channel.await(LONG));
        waiting.awaitWaiting();
        Threads.Running<Void> ending = threads.run(() -> end(soon()));
        assertFails(RdmaError.CONNECTION_ABORTED, waiting::get);
        assertThat(ending.isDone()).isFalse();
        inPost.release();
        posting.get();
        ending.get();
    }

    @Test
    @DisplayName("C12: the end waits for a post that comes back in time")
    void postComesBack() throws Exception {
        Pause inPost = new Pause();
        provider.on("postSend", inPost::run);
        Threads.Running<Void> posting = threads.run(() -> queuePair.postSend(send(domain, region, 1)));
        inPost.awaitReached();
        Threads.Running<Void> ending = threads.run(() -> end(soon()));
        ending.awaitWaitingIn("Presence");
        assertThat(provider.closes()).isEmpty();
        inPost.release();
        posting.get();
        ending.get();
        assertThat(provider.open()).isZero();
    }

    @Test
    @DisplayName("C12: the listeners of what the end takes are told, those of what was closed are not")
    void listeners() throws Exception {
        List<String> told = new ArrayList<>();
        queue.onRevoked(() -> told.add("queue"));
        region.onRevoked(() -> told.add("region"));
        region.close();
        end(soon());
        runDispatched();
        assertThat(told).containsExactly("queue");
    }

    @Test
    @DisplayName("C12: a removal and the end of a session at the same time close everything once")
    void endRacesWithRemoval() throws Exception {
        Pause inClose = new Pause();
        provider.on("close queue pair", inClose::run);
        Threads.Running<Void> ending = threads.run(() -> end(soon()));
        inClose.awaitReached();
        device.revoke(soon());
        guard.shut(deviceGate);
        assertThat(guard.awaitOutside(deviceGate, now())).isFalse();
        inClose.release();
        assertThat(guard.awaitOutside(deviceGate, soon())).isTrue();
        device.close();
        ending.get();
        assertThat(provider.open()).isZero();
        assertThat(provider.closes()).hasSize(4);
        assertThatThrownBy(() -> queue.poll(queue.createWorkCompletions(1))).isInstanceOf(RdmaException.class);
    }
}
