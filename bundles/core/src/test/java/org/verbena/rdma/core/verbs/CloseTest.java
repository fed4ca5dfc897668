package org.verbena.rdma.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.verbena.rdma.core.verbs.Failures.assertFails;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.ReceiveWorkRequest;
import org.verbena.rdma.SharedReceiveQueue;
import org.verbena.rdma.VerbsObject;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.core.guard.Pause;
import org.verbena.rdma.core.guard.Threads;

class CloseTest extends VerbsFixture {
    private ProtectionDomain domain;
    private CompletionQueue queue;
    private QueuePair queuePair;
    private MemoryRegion region;

    @BeforeEach
    void connect() throws RdmaException {
        domain = domain();
        queue = queue();
        queuePair = queuePair(domain, queue);
        region = region(domain);
    }

    @Test
    @DisplayName("C18: a parent with live children is not closed, and they are named")
    void children() throws Exception {
        CompletionChannel channel = channel();
        CompletionQueue notified = queue(channel);
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(1, 1);
        QueuePair sharing = queuePair(
                domain,
                QueuePairConfiguration.reliable(queue)
                        .withReceiveCompletionQueue(notified)
                        .withSharedReceiveQueue(shared));
        assertThatThrownBy(domain::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("protection domain 1 of fake0 still has queue pair %d, memory region 1,"
                                .formatted(queuePair.number())
                        + " shared receive queue 1, queue pair %d: close that first".formatted(sharing.number()));
        assertThatThrownBy(queue::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue pair " + queuePair.number())
                .hasMessageContaining("queue pair " + sharing.number());
        assertThatThrownBy(notified::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue pair " + sharing.number());
        assertThatThrownBy(channel::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("completion queue 2");
        assertThatThrownBy(shared::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue pair " + sharing.number());
        assertThat(domain.isOpen()).isTrue();
        assertThat(provider.closes()).isEmpty();

        for (VerbsObject object : List.of(sharing, shared, queuePair, region, domain, notified, queue, channel)) {
            object.close();
        }
        assertThat(provider.open()).isZero();
        assertThat(device.openObjects()).isZero();
    }

    @Test
    @DisplayName("C18: a closed object says so, and a second close does nothing")
    void closed() throws Exception {
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(1, 1);
        CompletionQueue notified = queue(channel());
        ReceiveWorkRequest receive = domain.createReceiveWorkRequest(1);
        for (VerbsObject object : List.of(queuePair, shared, region, notified, queue, domain)) {
            object.close();
            object.close();
            assertThat(object.isOpen()).isFalse();
        }
        assertFails(
                        RdmaError.INVALID_ARGUMENT,
                        () -> queuePair.postSend(domain.createSendWorkRequest(1).send()))
                .hasMessageContaining("queue pair " + queuePair.number() + " of fake0 is closed");
        assertFails(RdmaError.INVALID_ARGUMENT, () -> queuePair.postReceive(receive));
        assertFails(RdmaError.INVALID_ARGUMENT, queuePair::fail);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.CLOSED);
        assertFails(RdmaError.INVALID_ARGUMENT, () -> shared.postReceive(receive));
        assertFails(RdmaError.INVALID_ARGUMENT, () -> queue.poll(queue.createWorkCompletions(1)))
                .hasMessageContaining("completion queue 1 of fake0 is closed");
        assertFails(RdmaError.INVALID_ARGUMENT, () -> notified.requestNotification(true));
        assertFails(RdmaError.INVALID_ARGUMENT, () -> domain.registerMemory(ByteBuffer.allocateDirect(1), Set.of()))
                .hasMessageContaining("protection domain 1 of fake0 is closed");
        assertFails(RdmaError.INVALID_ARGUMENT, () -> domain.createSharedReceiveQueue(1, 1));
        assertFails(RdmaError.INVALID_ARGUMENT, () -> queuePair(domain, queue));
        assertThat(closedCalls(queuePair)).isEqualTo(1);
    }

    @Test
    @DisplayName("C4: completions of a queue pair that was closed can still be polled")
    void completionsStay() throws Exception {
        queuePair.postSend(send(domain, region, 1));
        queuePair.postSend(send(domain, region, 2));
        device.destroyQueuePair(queuePair);
        assertThat(queuePair.isOpen()).isFalse();
        WorkCompletions completions = queue.createWorkCompletions(4);
        assertThat(queue.poll(completions)).isEqualTo(2);
        assertThat(completions.status(1)).isEqualTo(WorkCompletionStatus.FLUSHED);
        device.destroyQueuePair(queuePair);
        assertThat(closedCalls(queuePair)).isEqualTo(1);
        assertThat(device.hasQueuePairs()).isFalse();
    }

    @Test
    @DisplayName("The device hears of each object that is over")
    void changes() throws Exception {
        int before = changes.get();
        queuePair.close();
        region.close();
        assertThat(changes.get()).isEqualTo(before + 2);
    }

    @Test
    @DisplayName("C18: a queue pair is closed at the provider when the post that was inside is out")
    void postRacesWithClose() throws Exception {
        Pause inPost = new Pause();
        provider.on("postSend", inPost::run);
        Threads.Running<Void> posting = threads.run(() -> queuePair.postSend(send(domain, region, 1)));
        inPost.awaitReached();
        Threads.Running<Void> closing = threads.run(queuePair::close);
        closing.awaitWaitingIn("Presence");
        assertThat(provider.closes()).isEmpty();
        assertFails(RdmaError.INVALID_ARGUMENT, () -> queuePair.postSend(send(domain, region, 2)));
        assertThat(queuePair.state()).isEqualTo(QueuePairState.CLOSED);

        inPost.release();
        posting.get();
        closing.get();
        assertThat(provider.closes()).containsExactly("queue pair");
        WorkCompletions completions = queue.createWorkCompletions(4);
        assertThat(queue.poll(completions)).isEqualTo(1);
        assertThat(completions.workRequestId(0)).isEqualTo(1);
    }

    @Test
    @DisplayName("C19: a region is closed at the provider when each post that may name it is out, on any queue pair")
    void postRacesWithCloseOfRegion() throws Exception {
        QueuePair other = queuePair(domain, queue);
        Pause inPost = new Pause();
        provider.on("postSend", inPost::run);
        Threads.Running<Void> posting = threads.run(() -> other.postSend(send(domain, region, 1)));
        inPost.awaitReached();
        Threads.Running<Void> closing = threads.run(region::close);
        closing.awaitWaitingIn("Presence");
        assertThat(provider.closes()).isEmpty();
        assertThat(((GuardedMemoryRegion) region).memory()).isNotNull();
        assertFails(RdmaError.BAD_ADDRESS, () -> queuePair.postSend(send(domain, region, 2)));

        inPost.release();
        posting.get();
        closing.get();
        assertThat(provider.closes()).containsExactly("memory region");
        assertThat(((GuardedMemoryRegion) region).memory()).isNull();
    }

    @Test
    @DisplayName("C19: a region that is named in a post of a shared receive queue is closed after that post")
    void sharedPostRacesWithCloseOfRegion() throws Exception {
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(1, 1);
        ReceiveWorkRequest receive = domain.createReceiveWorkRequest(1).segment(region, 0, 1);
        Pause inPost = new Pause();
        provider.on("postReceive", inPost::run);
        Threads.Running<Void> posting = threads.run(() -> shared.postReceive(receive));
        inPost.awaitReached();
        Threads.Running<Void> closing = threads.run(region::close);
        closing.awaitWaitingIn("Presence");
        assertThat(provider.closes()).isEmpty();
        inPost.release();
        posting.get();
        closing.get();
    }

    @Test
    @DisplayName("C19: busy posters do not hold up the close of a region")
    void busyPosters() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        MemoryRegion used = region(domain);
        List<Threads.Running<Void>> posting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            posting.add(threads.run(() -> {
                ReceiveWorkRequest receive = domain.createReceiveWorkRequest(1).segment(used, 0, 1);
                while (!stop.get()) {
                    try {
                        queuePair.postReceive(receive);
                    } catch (RdmaException full) {
                        assertThat(full.error()).isEqualTo(RdmaError.NO_MEMORY);
                    }
                }
            }));
        }
        for (int i = 0; i < 200; i++) {
            region(domain).close();
        }
        stop.set(true);
        for (Threads.Running<Void> thread : posting) {
            thread.get();
        }
    }

    @Test
    @DisplayName("C18: a poll that was inside is over before its queue is closed")
    void pollRacesWithClose() throws Exception {
        CompletionQueue polled = queue();
        Pause inPoll = new Pause();
        provider.on("poll", inPoll::run);
        Threads.Running<Integer> polling = threads.call(() -> polled.poll(polled.createWorkCompletions(1)));
        inPoll.awaitReached();
        Threads.Running<Void> closing = threads.run(polled::close);
        closing.awaitWaitingIn("Presence");
        assertThat(provider.closes()).isEmpty();
        inPoll.release();
        assertThat(polling.get()).isZero();
        closing.get();
        assertThat(provider.closes()).containsExactly("completion queue");
    }

    @Test
    @DisplayName("C18: a child that is being made keeps its parents open")
    void creationFirst() throws Exception {
        ProtectionDomain parent = domain();
        Pause inRegister = new Pause();
        provider.on("registerMemory", inRegister::run);
        Threads.Running<MemoryRegion> making = threads.call(() -> region(parent));
        inRegister.awaitReached();
        assertThatThrownBy(parent::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("still has memory region 2");
        inRegister.release();
        assertThat(making.get().isOpen()).isTrue();
    }

    @Test
    @DisplayName("C18: a queue pair that is being made keeps its queues open")
    void queuePairCreationFirst() throws Exception {
        CompletionQueue parent = queue();
        Pause inCreate = new Pause();
        provider.on("createQueuePair", inCreate::run);
        Threads.Running<QueuePair> making = threads.call(() -> queuePair(domain, parent));
        inCreate.awaitReached();
        assertThatThrownBy(parent::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("still has a queue pair in the making");
        inCreate.release();
        assertThat(making.get().isOpen()).isTrue();
    }

    @Test
    @DisplayName("C18: nothing is made of a parent that is being closed, and the provider is not asked")
    void closeFirst() throws Exception {
        ProtectionDomain parent = domain();
        Pause inClose = new Pause();
        provider.on("close protection domain", inClose::run);
        Threads.Running<Void> closing = threads.run(parent::close);
        inClose.awaitReached();
        AtomicBoolean asked = new AtomicBoolean();
        provider.on("registerMemory", () -> asked.set(true));
        assertFails(RdmaError.INVALID_ARGUMENT, () -> region(parent));
        assertThat(asked).isFalse();
        inClose.release();
        closing.get();
    }

    @Test
    @DisplayName("C18: of a close and a creation that race, exactly one wins")
    void creationAndCloseStress() throws Exception {
        for (int round = 0; round < 300; round++) {
            ProtectionDomain parent = domain();
            Threads.Running<MemoryRegion> making = threads.call(() -> {
                try {
                    return region(parent);
                } catch (RdmaException closed) {
                    return null;
                }
            });
            boolean parentClosed;
            try {
                parent.close();
                parentClosed = true;
            } catch (IllegalStateException hasChild) {
                parentClosed = false;
            }
            MemoryRegion made = making.get();
            assertThat(made == null).isEqualTo(parentClosed);
            if (made != null) {
                made.close();
                parent.close();
            }
        }
    }

    @Test
    @DisplayName("C18: of two threads that close an object the second returns when the first is done")
    void twoCloses() throws Exception {
        Pause inClose = new Pause();
        provider.on("close queue pair", inClose::run);
        Threads.Running<Void> first = threads.run(queuePair::close);
        inClose.awaitReached();
        Threads.Running<Void> second = threads.run(queuePair::close);
        second.awaitWaitingIn("OpenObjects");
        Threads.Running<Void> third = threads.run(() -> device.destroyQueuePair(queuePair));
        third.awaitWaitingIn("OpenObjects");
        assertThat(first.isDone()).isFalse();
        inClose.release();
        second.get();
        third.get();
        assertThat(queuePair.isOpen()).isFalse();
        assertThat(provider.closes()).containsExactly("queue pair");
        first.get();
        assertThat(closedCalls(queuePair)).isEqualTo(1);
    }

    @Test
    @DisplayName("C14: a close on the stack of a call into the provider is carried out when the call is over")
    void closeInsideOfCall() throws Exception {
        provider.on("postSend", () -> {
            queuePair.close();
            queuePair.close();
            region.close();
        });
        queuePair.postSend(send(domain, region, 1));
        provider.off("postSend");
        assertThat(provider.closes()).isEmpty();
        assertThat(queuePair.isOpen()).isFalse();
        assertFails(RdmaError.INVALID_ARGUMENT, () -> queuePair.postSend(send(domain, region, 2)));
        runDispatched();
        assertThat(provider.closes()).containsExactly("queue pair", "memory region");
        assertThat(closedCalls(queuePair)).isEqualTo(1);
    }

    @Test
    @DisplayName("C14: two threads that close each other's queue pair inside of a call do not wait for each other")
    void mutualClose() throws Exception {
        QueuePair other = queuePair(domain, queue);
        Pause bothInside = new Pause();
        AtomicReference<Thread> firstThread = new AtomicReference<>();
        provider.on("postSend", () -> {
            if (firstThread.compareAndSet(null, Thread.currentThread())) {
                bothInside.run();
                other.close();
            } else {
                bothInside.release();
                queuePair.close();
            }
        });
        Threads.Running<Void> first = threads.run(() -> queuePair.postSend(send(domain, region, 1)));
        bothInside.awaitReached();
        other.postSend(send(domain, region, 1));
        first.get();
        runDispatched();
        assertThat(provider.closes()).containsExactlyInAnyOrder("queue pair", "queue pair");
    }

    @Test
    @DisplayName("C14: a second close on the stack of the first returns at once")
    void closeInsideOfClose() throws Exception {
        provider.on("close queue pair", queuePair::close);
        queuePair.close();
        assertThat(provider.closes()).containsExactly("queue pair");
    }

    @Test
    @DisplayName("A listener of an object that its owner closes never runs")
    void listeners() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();
        region.onRevoked(() -> ran.set(true));
        region.close();
        region.onRevoked(() -> ran.set(true));
        remove();
        runDispatched();
        assertThat(ran).isFalse();
    }
}
