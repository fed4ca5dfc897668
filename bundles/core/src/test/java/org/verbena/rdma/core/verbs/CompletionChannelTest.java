package org.verbena.rdma.core.verbs;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.verbena.rdma.core.verbs.Failures.assertFails;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.core.guard.Threads;

class CompletionChannelTest extends VerbsFixture {
    private static final Duration LONG = Duration.ofSeconds(30);

    private CompletionChannel channel;
    private CompletionQueue queue;

    @BeforeEach
    void make() throws RdmaException {
        channel = channel();
        queue = queue(channel);
    }

    private static void complete(CompletionQueue where) {
        fake(where).add(1, 1, WorkCompletionStatus.SUCCESS);
    }

    @Test
    @DisplayName("A completion that was asked for is told once")
    void told() throws Exception {
        queue.requestNotification(false);
        assertThat(channel.await(ZERO)).isNull();
        complete(queue);
        complete(queue);
        assertThat(channel.await(LONG)).isSameAs(queue);
        assertThat(channel.await(ZERO)).isNull();
        assertThat(channel.await(Duration.ofMillis(5))).isNull();
        assertThat(channel.await(Duration.ofMillis(-5))).isNull();
    }

    @Test
    @DisplayName("An upcall that was not asked for is dropped")
    void spurious() throws Exception {
        fake(queue).upcalls().completionEvent();
        assertThat(channel.await(ZERO)).isNull();
        queue.requestNotification(false);
        fake(queue).upcalls().completionEvent();
        fake(queue).upcalls().completionEvent();
        assertThat(channel.await(ZERO)).isSameAs(queue);
        assertThat(channel.await(ZERO)).isNull();
    }

    @Test
    @DisplayName("One event is kept for each request")
    void eventPerRequest() throws Exception {
        queue.requestNotification(false);
        queue.requestNotification(false);
        complete(queue);
        assertThat(channel.await(ZERO)).isSameAs(queue);
        assertThat(channel.await(ZERO)).isSameAs(queue);
        assertThat(channel.await(ZERO)).isNull();
    }

    @Test
    @DisplayName("Events of several queues come in their order")
    void order() throws Exception {
        List<CompletionQueue> queues = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            CompletionQueue made = queue(channel);
            queues.add(made);
            made.requestNotification(false);
        }
        for (CompletionQueue each : queues) {
            complete(each);
        }
        for (CompletionQueue each : queues) {
            assertThat(channel.await(ZERO)).isSameAs(each);
        }
        assertThat(channel.await(ZERO)).isNull();
    }

    @Test
    @DisplayName("A request that the provider refuses leaves no event behind")
    void refusedRequest() throws Exception {
        provider.on("requestNotification", () -> {
            throw FakeDevice.noMemory();
        });
        assertFails(RdmaError.NO_MEMORY, () -> queue.requestNotification(false));
        fake(queue).upcalls().completionEvent();
        assertThat(channel.await(ZERO)).isNull();
        assertThatThrownBy(() -> queue().requestNotification(false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no channel");
    }

    @Test
    @DisplayName("An upcall inside of the request counts")
    void immediateUpcall() throws Exception {
        provider.on("requestNotification", () -> fake(queue).upcalls().completionEvent());
        queue.requestNotification(false);
        assertThat(channel.await(ZERO)).isSameAs(queue);
    }

    @Test
    @DisplayName("A waiting thread wakes with the event")
    void wakes() throws Exception {
        queue.requestNotification(false);
        Threads.Running<CompletionQueue> waiting =
                threads.call(() -> channel.await(Duration.ofSeconds(Long.MAX_VALUE)));
        waiting.awaitWaiting();
        complete(queue);
        assertThat(waiting.get()).isSameAs(queue);
    }

    @Test
    @DisplayName("A waiting thread can be interrupted, and takes no event with it")
    void interrupt() throws Exception {
        queue.requestNotification(false);
        Threads.Running<CompletionQueue> waiting = threads.call(() -> channel.await(LONG));
        waiting.awaitWaiting();
        waiting.thread().interrupt();
        assertThatThrownBy(waiting::get).isInstanceOf(InterruptedException.class);
        complete(queue);
        assertThat(channel.await(ZERO)).isSameAs(queue);
    }

    @Test
    @DisplayName("C18: a waiting thread wakes when its channel is closed, and says so")
    void closed() throws Exception {
        queue.close();
        List<Threads.Running<CompletionQueue>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(threads.call(() -> channel.await(LONG)));
        }
        for (Threads.Running<CompletionQueue> each : waiting) {
            each.awaitWaiting();
        }
        channel.close();
        for (Threads.Running<CompletionQueue> each : waiting) {
            assertFails(RdmaError.INVALID_ARGUMENT, each::get)
                    .hasMessageContaining("completion channel 1 of fake0 is closed");
        }
        assertFails(RdmaError.INVALID_ARGUMENT, () -> channel.await(ZERO));
        assertFails(RdmaError.INVALID_ARGUMENT, () -> queue(channel));
    }

    @Test
    @DisplayName("C18: events of a queue that was closed are forgotten, and late ones do no harm")
    void closedQueue() throws Exception {
        CompletionQueue other = queue(channel);
        queue.requestNotification(false);
        other.requestNotification(false);
        FakeCompletionQueue late = fake(queue);
        complete(queue);
        complete(other);
        queue.close();
        late.upcalls().completionEvent();
        assertThat(channel.await(LONG)).isSameAs(other);
        assertThat(channel.await(ZERO)).isNull();
        other.close();
        channel.close();
        late.upcalls().completionEvent();
    }

    @Test
    @DisplayName("A channel does not hold on to a queue that was closed with an event")
    void closedQueueIsForgotten() throws Exception {
        WeakReference<CompletionQueue> closed = closeWithEvent();
        await().until(() -> {
            System.gc();
            return closed.get() == null;
        });
        assertThat(channel.await(ZERO)).isNull();
    }

    private WeakReference<CompletionQueue> closeWithEvent() throws RdmaException {
        CompletionQueue other = queue(channel);
        other.requestNotification(false);
        complete(other);
        other.close();
        return new WeakReference<>(other);
    }

    @Test
    @DisplayName("C3: no event is lost or doubled with several waiting threads and several completing ones")
    void stress() throws Exception {
        int rounds = 2_000;
        List<CompletionQueue> queues = List.of(queue, queue(channel), queue(channel));
        AtomicInteger told = new AtomicInteger();
        List<Threads.Running<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            waiting.add(threads.run(() -> {
                while (told.get() < rounds * queues.size()) {
                    if (channel.await(Duration.ofMillis(10)) != null) {
                        told.incrementAndGet();
                    }
                }
            }));
        }
        List<Threads.Running<Void>> completing = new ArrayList<>();
        for (CompletionQueue each : queues) {
            FakeCompletionQueue fake = fake(each);
            completing.add(threads.run(() -> {
                for (int i = 0; i < rounds; i++) {
                    each.requestNotification(false);
                    fake.upcalls().completionEvent();
                }
            }));
        }
        for (Threads.Running<Void> each : completing) {
            each.get();
        }
        for (Threads.Running<Void> each : waiting) {
            each.get();
        }
        assertThat(told.get()).isEqualTo(rounds * queues.size());
        assertThat(channel.await(ZERO)).isNull();
    }

    @Test
    @DisplayName("The loop of asking, polling and waiting sees every completion")
    void loop() throws Exception {
        ProtectionDomain domain = domain();
        CompletionQueue large = device.createCompletionQueue(owner, view, 1_000, channel);
        QueuePair queuePair = queuePair(domain, large);
        int count = 500;
        Threads.Running<Integer> consuming = threads.call(() -> {
            WorkCompletions completions = large.createWorkCompletions(3);
            int seen = 0;
            while (seen < count) {
                large.requestNotification(false);
                for (int taken = large.poll(completions); taken > 0; taken = large.poll(completions)) {
                    seen += taken;
                }
                if (seen < count && channel.await(LONG) == null) {
                    return seen;
                }
            }
            return seen;
        });
        for (int i = 0; i < count; i++) {
            queuePair.postReceive(domain.createReceiveWorkRequest(0).workRequestId(i));
            fake(queuePair).complete();
        }
        assertThat(consuming.get()).isEqualTo(count);
    }
}
