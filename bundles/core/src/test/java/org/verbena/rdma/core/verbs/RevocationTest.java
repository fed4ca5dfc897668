package org.verbena.rdma.core.verbs;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.verbena.rdma.core.verbs.Failures.assertFails;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
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
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SharedReceiveQueue;
import org.verbena.rdma.VerbsObject;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.guard.Pause;
import org.verbena.rdma.core.guard.Threads;

class RevocationTest extends VerbsFixture {
    private static final Duration LONG = Duration.ofSeconds(30);

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

    private void post(int count) throws RdmaException {
        for (int i = 1; i <= count; i++) {
            queuePair.postSend(send(domain, region, i));
        }
    }

    private static void assertGone(Threads.Action call) {
        assertThatThrownBy(call::run).isInstanceOf(DeviceRemovedException.class).hasMessageContaining("fake0");
    }

    private void close() {
        guard.shut(deviceGate);
        assertThat(guard.awaitOutside(deviceGate, soon())).isTrue();
        device.close();
    }

    @Test
    @DisplayName(
            "C10: outstanding work is flushed and stays readable, in order, then polling says that the device is gone")
    void flushed() throws Exception {
        post(5);
        fake(queuePair).complete();
        assertThat(device.revoke(soon())).containsExactly(owner);
        WorkCompletions completions = queue.createWorkCompletions(2);
        List<Long> ids = new ArrayList<>();
        for (int taken = queue.poll(completions); taken > 0; taken = queue.poll(completions)) {
            for (int i = 0; i < taken; i++) {
                ids.add(completions.workRequestId(i));
                assertThat(completions.queuePairNumber(i)).isEqualTo(queuePair.number());
                assertThat(completions.status(i))
                        .isEqualTo(ids.size() == 1 ? WorkCompletionStatus.SUCCESS : WorkCompletionStatus.FLUSHED);
            }
        }
        assertThat(ids).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(queue.poll(completions))
                .as("there may be more until all is closed")
                .isZero();
        close();
        assertGone(() -> queue.poll(completions));
    }

    @Test
    @DisplayName("C10: after the revocation everything says that the device is gone, and close is harmless")
    void everythingThrows() throws Exception {
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(1, 1);
        device.revoke(soon());
        assertGone(() -> queuePair.postSend(send(domain, region, 1)));
        assertGone(() -> queuePair.postReceive(domain.createReceiveWorkRequest(1)));
        assertGone(queuePair::fail);
        assertGone(() -> shared.postReceive(domain.createReceiveWorkRequest(1)));
        assertGone(() -> queue.requestNotification(false));
        assertGone(() -> region(domain));
        assertGone(this::queue);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.CLOSED);
        for (VerbsObject object : List.of(domain, channel, queue, queuePair, region, shared)) {
            assertThat(object.isOpen()).isFalse();
            object.close();
        }
        device.destroyQueuePair(queuePair);
        assertThat(provider.closes()).isEmpty();
        close();
        assertThat(provider.closes())
                .containsExactly(
                        "queue pair", "shared receive queue", "memory region", "completion queue", "protection domain");
        assertThat(closedCalls(queuePair)).isEqualTo(1);
        assertThat(device.openObjects()).isZero();
        assertGone(() -> channel.await(ZERO));
    }

    @Test
    @DisplayName("C10: who has no outstanding work is not said to have been forced")
    void nobodyForced() throws Exception {
        assertThat(device.revoke(soon())).isEmpty();
        close();
    }

    @Test
    @DisplayName("C10: what is flushed only by the close of a queue pair is read after what was flushed before")
    void lateFlush() throws Exception {
        post(2);
        FakeQueuePair fake = fake(queuePair);
        provider.on("fail", () -> {
            throw FakeDevice.noMemory();
        });
        fake.complete();
        device.revoke(soon());
        WorkCompletions completions = queue.createWorkCompletions(4);
        assertThat(queue.poll(completions)).isEqualTo(1);
        assertThat(queue.poll(completions)).isZero();
        close();
        assertThat(queue.poll(completions)).isEqualTo(1);
        assertThat(completions.workRequestId(0)).isEqualTo(2);
        assertGone(() -> queue.poll(completions));
    }

    @Test
    @DisplayName("C10: a poll that is inside during the revocation takes what is older, and nothing is lost")
    void pollRacesWithRevocation() throws Exception {
        post(10);
        for (int i = 0; i < 5; i++) {
            fake(queuePair).complete();
        }
        Pause afterTaking = new Pause();
        provider.on("polled", afterTaking::run);
        WorkCompletions early = queue.createWorkCompletions(3);
        Threads.Running<Integer> polling = threads.call(() -> queue.poll(early));
        afterTaking.awaitReached();
        Threads.Running<Object> revoking = threads.call(() -> device.revoke(soon()));
        revoking.awaitWaitingIn("Presence");
        WorkCompletions late = queue.createWorkCompletions(100);
        assertThat(queue.poll(late)).as("not yet, rather than too early").isZero();

        provider.off("polled");
        afterTaking.release();
        assertThat(polling.get()).isEqualTo(3);
        assertThat(early.workRequestId(2)).isEqualTo(3);
        revoking.get();
        assertThat(queue.poll(late)).isEqualTo(7);
        assertThat(late.workRequestId(0)).isEqualTo(4);
        assertThat(late.workRequestId(6)).isEqualTo(10);
        close();
        assertGone(() -> queue.poll(late));
    }

    @Test
    @DisplayName("C10: a consumer that reads flushed completions while they are still being moved loses none")
    void pollRacesWithEmptying() throws Exception {
        CompletionQueue large = device.createCompletionQueue(owner, view, 2_000, null);
        QueuePair busy =
                queuePair(domain, QueuePairConfiguration.reliable(large).withDepth(1_000, 1));
        for (int i = 0; i < 1_000; i++) {
            busy.postSend(send(domain, region, i));
        }
        WorkCompletions completions = large.createWorkCompletions(2_000);
        List<Long> ids = new ArrayList<>();
        Threads.Action read = () -> {
            int taken = large.poll(completions);
            for (int i = 0; i < taken; i++) {
                ids.add(completions.workRequestId(i));
            }
        };
        provider.on("polled", () -> {
            try {
                read.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        device.revoke(soon());
        close();
        assertGone(() -> {
            while (true) {
                read.run();
            }
        });
        assertThat(ids).hasSize(1_000).isSorted();
    }

    @Test
    @DisplayName("C18: a post that is inside during the revocation is out before anything is closed")
    void postRacesWithRevocation() throws Exception {
        Pause inPost = new Pause();
        provider.on("postSend", inPost::run);
        Threads.Running<Void> posting = threads.run(() -> queuePair.postSend(send(domain, region, 1)));
        inPost.awaitReached();
        device.revoke(soon());
        guard.shut(deviceGate);
        assertThat(guard.awaitOutside(deviceGate, now())).isFalse();
        assertThat(guard.inside(deviceGate)).singleElement().satisfies(inside -> {
            assertThat(inside.thread()).isSameAs(posting.thread());
            assertThat(inside.gate()).isEqualTo("queue pair of fake0");
        });
        inPost.release();
        posting.get();
        close();
        WorkCompletions completions = queue.createWorkCompletions(4);
        assertThat(queue.poll(completions)).isEqualTo(1);
        assertThat(completions.status(0)).isEqualTo(WorkCompletionStatus.FLUSHED);
    }

    @Test
    @DisplayName(
            "C18: a post that has come in before the revocation but finds its region gone says that the device is gone")
    void postBetweenShutAndFate() throws Exception {
        ((GuardedMemoryRegion) region).fate = Fate.REMOVED; // as a post sees it that is past its gate when all is taken
        assertGone(() -> queuePair.postSend(send(domain, region, 1)));
    }

    @Test
    @DisplayName("C10: a waiting thread wakes for flushed completions, then is told that the device is gone")
    void waitRacesWithRevocation() throws Exception {
        post(1);
        Threads.Running<CompletionQueue> waiting = threads.call(() -> channel.await(LONG));
        waiting.awaitWaiting();
        device.revoke(soon());
        assertThat(waiting.get()).isSameAs(queue);
        Threads.Running<CompletionQueue> again = threads.call(() -> channel.await(LONG));
        again.awaitWaiting();
        close();
        assertThatThrownBy(again::get).isInstanceOf(DeviceRemovedException.class);
    }

    @Test
    @DisplayName("C10: events that were raised before the removal can still be fetched")
    void eventsStay() throws Exception {
        CompletionQueue other = queue(channel);
        other.requestNotification(false);
        fake(other).add(9, 9, WorkCompletionStatus.SUCCESS);
        post(1);
        remove();
        assertThat(channel.await(ZERO)).isSameAs(other);
        assertThat(channel.await(LONG)).isSameAs(queue);
        assertGone(() -> channel.await(LONG));
        assertThat(other.poll(other.createWorkCompletions(1))).isEqualTo(1);
        assertThat(queue.poll(queue.createWorkCompletions(1))).isEqualTo(1);
        assertGone(() -> other.poll(other.createWorkCompletions(1)));
    }

    @Test
    @DisplayName("C17: an upcall of a completion queue that is gone does nothing")
    void lateUpcall() throws Exception {
        queue.requestNotification(false);
        FakeCompletionQueue late = fake(queue);
        remove();
        late.upcalls().completionEvent();
        assertGone(() -> channel.await(ZERO));
    }

    @Test
    @DisplayName("C10: what no queue pair needs is closed at once, the rest stays until its queue pairs are closed")
    void closeUnused() throws Exception {
        ProtectionDomain unused = domain();
        MemoryRegion unusedRegion = region(unused);
        SharedReceiveQueue unusedShared = unused.createSharedReceiveQueue(1, 1);
        CompletionChannel unusedChannel = channel();
        CompletionQueue unusedQueue = queue(unusedChannel);
        fake(unusedQueue).add(3, 3, WorkCompletionStatus.SUCCESS);
        device.mark();
        device.closeUnused(soon());
        assertThat(provider.closes())
                .containsExactly("shared receive queue", "memory region", "completion queue", "protection domain");
        for (VerbsObject object : List.of(unused, unusedRegion, unusedShared, unusedChannel, unusedQueue)) {
            assertThat(object.isOpen()).isFalse();
        }
        assertThat(unusedChannel.await(ZERO)).isSameAs(unusedQueue);
        WorkCompletions completions = unusedQueue.createWorkCompletions(2);
        assertThat(unusedQueue.poll(completions)).isEqualTo(1);
        assertGone(() -> unusedQueue.poll(completions));
        assertGone(() -> unusedChannel.await(ZERO));

        queuePair.postSend(send(domain, region, 1));
        assertThat(region.isOpen()).isTrue();
        assertThat(channel.isOpen()).isTrue();
        queuePair.close();
        device.closeUnused(soon());
        assertThat(device.openObjects()).isZero();
        assertThat(provider.open()).isZero();
        assertThat(queue.poll(completions)).as("flushed by the close").isEqualTo(1);
        device.closeUnused(soon());
    }

    @Test
    @DisplayName("C10: a channel that is closed as unused says so only when it has told of what was flushed")
    void channelEndsLast() throws Exception {
        CompletionChannel unusedChannel = channel();
        CompletionQueue unused = queue(unusedChannel);
        fake(unused).add(3, 3, WorkCompletionStatus.SUCCESS);
        List<CompletionQueue> early = new ArrayList<>();
        provider.on("poll", () -> {
            try {
                early.add(unusedChannel.await(ZERO));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        device.mark();
        device.closeUnused(soon());
        provider.off("poll");
        assertThat(early).isNotEmpty().first().isNull();
        assertThat(unusedChannel.await(ZERO)).isSameAs(unused);
        assertGone(() -> unusedChannel.await(ZERO));
    }

    @Test
    @DisplayName("C10: a channel stays as long as one of its queues is needed")
    void channelInUse() throws Exception {
        CompletionQueue unused = queue(channel);
        device.mark();
        device.closeUnused(soon());
        assertThat(unused.isOpen()).isFalse();
        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.await(ZERO)).isNull();
    }

    @Test
    @DisplayName("C9: what a thread is inside of at the deadline is left to the last step")
    void closeUnusedGivesUp() throws Exception {
        queuePair.close();
        Pause inPoll = new Pause();
        provider.on("poll", inPoll::run);
        Threads.Running<Integer> polling = threads.call(() -> queue.poll(queue.createWorkCompletions(1)));
        inPoll.awaitReached();
        device.mark();
        device.closeUnused(now());
        assertThat(provider.closes()).doesNotContain("completion queue");
        provider.off("poll");
        inPoll.release();
        polling.get();
        remove();
        assertThat(provider.open()).isZero();
    }

    @Test
    @DisplayName("C9: a child in the making keeps its parents from being closed as unused")
    void closeUnusedDuringCreation() throws Exception {
        ProtectionDomain parent = domain();
        Pause inRegister = new Pause();
        provider.on("registerMemory", inRegister::run);
        Threads.Running<MemoryRegion> making = threads.call(() -> region(parent));
        inRegister.awaitReached();
        device.mark();
        device.closeUnused(soon());
        assertThat(parent.isOpen()).isTrue();
        inRegister.release();
        MemoryRegion made = making.get();
        device.closeUnused(soon());
        assertThat(parent.isOpen()).isFalse();
        assertThat(made.isOpen()).isFalse();
    }

    @Test
    @DisplayName("C8: a queue pair that is made during the revocation is closed by who makes it, and never seen")
    void creationRacesWithRevocation() throws Exception {
        Pause inCreate = new Pause();
        provider.on("createQueuePair", inCreate::run);
        Threads.Running<QueuePair> making = threads.call(() -> queuePair(domain, queue));
        inCreate.awaitReached();
        device.revoke(soon());
        guard.shut(deviceGate);
        assertThat(guard.awaitOutside(deviceGate, now())).isFalse();
        inCreate.release();
        assertThatThrownBy(making::get).isInstanceOf(DeviceRemovedException.class);
        assertThat(provider.closes()).containsExactly("queue pair");
        close();
        assertThat(provider.open()).isZero();
        assertThat(device.openObjects()).isZero();
    }

    @Test
    @DisplayName("C8: a close that waits for a post leaves the object to the removal")
    void closeRacesWithRevocation() throws Exception {
        Pause inPost = new Pause();
        provider.on("postSend", inPost::run);
        Threads.Running<Void> posting = threads.run(() -> queuePair.postSend(send(domain, region, 1)));
        inPost.awaitReached();
        Threads.Running<Void> closing = threads.run(queuePair::close);
        closing.awaitWaitingIn("Presence");
        Threads.Running<Void> second = threads.run(queuePair::close);
        second.awaitWaitingIn("OpenObjects");
        device.revoke(soon());
        closing.get();
        second.get();
        assertThat(provider.closes()).isEmpty();
        inPost.release();
        posting.get();
        close();
        assertThat(provider.open()).isZero();
        assertThat(closedCalls(queuePair)).isEqualTo(1);
    }

    @Test
    @DisplayName("C8: a close that is inside the provider during the revocation is finished by its own thread")
    void closeInsideDuringRevocation() throws Exception {
        Pause inClose = new Pause();
        provider.on("close queue pair", inClose::run);
        Threads.Running<Void> closing = threads.run(queuePair::close);
        inClose.awaitReached();
        device.revoke(soon());
        guard.shut(deviceGate);
        assertThat(guard.awaitOutside(deviceGate, now())).isFalse();
        inClose.release();
        closing.get();
        close();
        assertThat(provider.open()).isZero();
        assertThat(closedCalls(queuePair)).isEqualTo(1);
    }

    @Test
    @DisplayName("C10: listeners run once, in order, on the dispatcher, after the flushed completions are in place")
    void listeners() throws Exception {
        List<String> ran = new ArrayList<>();
        post(1);
        queue.onRevoked(() -> {
            try {
                ran.add("first polls " + queue.poll(queue.createWorkCompletions(1)));
            } catch (RdmaException e) {
                ran.add(e.toString());
            }
        });
        queue.onRevoked(() -> {
            throw new IllegalStateException("on purpose");
        });
        queue.onRevoked(() -> ran.add("third"));
        device.mark();
        assertThat(dispatched).isEmpty();
        device.revoke(soon());
        assertThat(dispatched).hasSize(1);
        queue.onRevoked(() -> ran.add("late"));
        assertThat(ran).isEmpty();
        runDispatched();
        assertThat(ran).containsExactly("first polls 1", "third", "late");
        close();
        runDispatched();
        queue.onRevoked(() -> ran.add("later"));
        runDispatched();
        assertThat(ran).containsExactly("first polls 1", "third", "late", "later");
    }

    @Test
    @DisplayName("C19: an abandoned device is never touched again, and everything says that it is gone")
    void abandon() throws Exception {
        post(2);
        Pause inPoll = new Pause();
        provider.on("poll", inPoll::run);
        Threads.Running<Integer> hung = threads.call(() -> queue.poll(queue.createWorkCompletions(1)));
        inPoll.awaitReached();
        Threads.Running<CompletionQueue> waiting = threads.call(() -> channel.await(LONG));
        waiting.awaitWaiting();
        List<String> told = new ArrayList<>();
        region.onRevoked(() -> told.add("region"));
        device.revoke(now());
        guard.shut(deviceGate);
        assertThat(guard.awaitOutside(deviceGate, now())).isFalse();
        device.abandon();

        assertThatThrownBy(waiting::get).isInstanceOf(DeviceRemovedException.class);
        assertGone(() -> queue.poll(queue.createWorkCompletions(1)));
        assertGone(() -> queuePair.postSend(send(domain, region, 1)));
        assertThat(device.openObjects()).isZero();
        assertThat(closedCalls(queuePair)).isEqualTo(1);
        runDispatched();
        assertThat(told).containsExactly("region");
        inPoll.release();
        hung.get();
        device.close();
        region.close();
        queuePair.close();
        assertThat(provider.closes()).isEmpty();
    }

    @Test
    @DisplayName("C19: the buffers of an abandoned device stay alive, also when core has let go of everything")
    void keptBuffers() throws Exception {
        List<WeakReference<ByteBuffer>> kept = registerAndAbandon();
        System.gc();
        System.gc();
        assertThat(kept).allMatch(reference -> reference.get() != null);

        WeakReference<ByteBuffer> closed = registerAndClose();
        await().until(() -> {
            System.gc();
            return closed.get() == null;
        });
        assertThat(kept).allMatch(reference -> reference.get() != null);
    }

    private List<WeakReference<ByteBuffer>> registerAndAbandon() throws RdmaException {
        VerbsDevice other =
                new VerbsDevice("fake1", new FakeDevice(), guard, deviceGate, (whose, task) -> {}, () -> {});
        ProtectionDomain otherDomain = other.createProtectionDomain(owner, view);
        List<WeakReference<ByteBuffer>> buffers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(16);
            otherDomain.registerMemory(buffer, EnumSet.of(Access.LOCAL_WRITE));
            buffers.add(new WeakReference<>(buffer));
        }
        other.abandon();
        return buffers;
    }

    private WeakReference<ByteBuffer> registerAndClose() throws RdmaException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(16);
        domain.registerMemory(buffer, EnumSet.of(Access.LOCAL_WRITE)).close();
        return new WeakReference<>(buffer);
    }

    @Test
    @DisplayName("C19: the memory of a region that is open is kept alive by core alone")
    void bufferOfOpenRegion() throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect(16);
        MemoryRegion open = domain.registerMemory(buffer, EnumSet.of(Access.LOCAL_WRITE));
        WeakReference<ByteBuffer> watched = new WeakReference<>(buffer);
        buffer = null;
        System.gc();
        System.gc();
        assertThat(watched.get()).isNotNull();
        assertThat(open.isOpen()).isTrue();
    }

    @Test
    @DisplayName(
            "C9: a device can be abandoned while a step of its removal hangs, and the step stops when it comes back")
    void abandonDuringClose() throws Exception {
        QueuePair second = queuePair(domain, queue);
        device.revoke(soon());
        guard.shut(deviceGate);
        Pause inClose = new Pause();
        provider.on("close queue pair", inClose::run);
        Threads.Running<Void> closing = threads.run(device::close);
        inClose.awaitReached();
        device.abandon();
        assertThat(device.openObjects()).isZero();
        assertThat(closedCalls(queuePair)).isEqualTo(1);
        assertThat(closedCalls(second)).isEqualTo(1);
        inClose.release();
        closing.get();
        assertThat(provider.closes()).containsExactly("queue pair");
    }

    @Test
    @DisplayName("C9: a device can be abandoned while its revocation hangs, and the hung thread is named")
    void abandonDuringRevocation() throws Exception {
        Pause inFail = new Pause();
        provider.on("fail", inFail::run);
        Threads.Running<Object> revoking = threads.call(() -> device.revoke(soon()));
        inFail.awaitReached();
        guard.shut(deviceGate);
        assertThat(guard.inside(deviceGate)).extracting(Guard.Inside::thread).containsExactly(revoking.thread());
        device.abandon();
        assertGone(() -> queuePair.postSend(send(domain, region, 1)));
        inFail.release();
        revoking.get();
        assertThat(provider.closes()).isEmpty();
    }

    @Test
    @DisplayName("C9: a hang while completion queues are emptied is seen as a thread inside the provider")
    void hangWhileEmptying() throws Exception {
        Pause inPoll = new Pause();
        provider.on("poll", inPoll::run);
        Threads.Running<Object> revoking = threads.call(() -> device.revoke(soon()));
        inPoll.awaitReached();
        guard.shut(deviceGate);
        assertThat(guard.awaitOutside(deviceGate, now())).isFalse();
        assertThat(guard.inside(deviceGate)).extracting(Guard.Inside::thread).containsExactly(revoking.thread());
        inPoll.release();
        revoking.get();
        close();
    }

    @Test
    @DisplayName("C18: a close that waits forever for a hung post ends when the device is abandoned")
    void closeOfHungObject() throws Exception {
        Pause inPost = new Pause();
        provider.on("postSend", inPost::run);
        Threads.Running<Void> posting = threads.run(() -> queuePair.postSend(send(domain, region, 1)));
        inPost.awaitReached();
        Threads.Running<Void> closing = threads.run(region::close);
        closing.awaitWaitingIn("Presence");
        device.abandon();
        closing.get();
        inPost.release();
        posting.get();
        assertThat(provider.closes()).isEmpty();
    }

    @Test
    @DisplayName("C8: an object that its owner has closed before the removal stays closed by its owner")
    void closedBefore() throws Exception {
        AtomicBoolean revoked = new AtomicBoolean();
        queuePair.onRevoked(() -> revoked.set(true));
        queuePair.close();
        remove();
        runDispatched();
        assertThat(revoked).isFalse();
        assertFails(RdmaError.INVALID_ARGUMENT, queuePair::fail);
    }
}
