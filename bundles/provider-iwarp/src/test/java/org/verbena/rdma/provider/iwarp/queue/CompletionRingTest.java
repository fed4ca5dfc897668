package org.verbena.rdma.provider.iwarp.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;

class CompletionRingTest {
    private final AtomicInteger events = new AtomicInteger();

    private static void add(CompletionRing ring, long id, boolean solicited) {
        ring.add(id, WorkCompletionStatus.SUCCESS, WorkCompletionOperation.SEND, id, (int) id, 0, 0, 0, solicited);
    }

    private static List<Long> poll(CompletionRing ring, int max) throws RdmaException {
        List<Long> ids = new ArrayList<>();
        ring.poll((id, status, operation, bytes, pair, flags, key, vendor) -> ids.add(id), max);
        return ids;
    }

    @Test
    @DisplayName("completions come out in their order, no more than asked for")
    void order() throws Exception {
        CompletionRing ring = new CompletionRing(5, events::incrementAndGet);
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < 5; i++) {
                add(ring, i, false);
            }
            assertThat(poll(ring, 2)).containsExactly(0L, 1L);
            assertThat(poll(ring, 10)).containsExactly(2L, 3L, 4L);
            assertThat(poll(ring, 10)).isEmpty();
        }
        assertThat(events).hasValue(0);
        assertThat(ring.entries()).isEqualTo(5);
    }

    @Test
    @DisplayName("one event for one request for notification, and none for what came before")
    void notification() throws Exception {
        CompletionRing ring = new CompletionRing(16, events::incrementAndGet);
        add(ring, 1, false);
        ring.requestNotification(false);
        assertThat(events).hasValue(0);
        add(ring, 2, false);
        add(ring, 3, false);
        assertThat(events).hasValue(1);
        ring.requestNotification(false);
        add(ring, 4, false);
        assertThat(events).hasValue(2);
    }

    @Test
    @DisplayName("who asks for solicited events only is told of solicited completions and of errors")
    void solicited() throws Exception {
        CompletionRing ring = new CompletionRing(16, events::incrementAndGet);
        ring.requestNotification(true);
        add(ring, 1, false);
        assertThat(events).hasValue(0);
        add(ring, 2, true);
        assertThat(events).hasValue(1);
        ring.requestNotification(true);
        ring.add(3, WorkCompletionStatus.FLUSHED, WorkCompletionOperation.SEND, 0, 0, 0, 0, 0, false);
        assertThat(events).hasValue(2);
        ring.requestNotification(false);
        ring.requestNotification(true);
        add(ring, 4, false);
        assertThat(events).hasValue(3);
    }

    @Test
    @DisplayName("an overflow breaks the queue: its queue pairs are told once, what it holds can be read")
    void overflow() throws Exception {
        CompletionRing ring = new CompletionRing(4, events::incrementAndGet);
        AtomicInteger failures = new AtomicInteger();
        ring.attach(failures::incrementAndGet);
        ring.requestNotification(false);
        for (int i = 0; i < 7; i++) {
            add(ring, i, false);
        }
        assertThat(failures).hasValue(1);
        assertThat(poll(ring, 10)).containsExactly(0L, 1L, 2L, 3L);
        assertThatThrownBy(() -> poll(ring, 10)).isInstanceOf(RdmaException.class);
        assertThatThrownBy(() -> ring.requestNotification(false)).isInstanceOf(RdmaException.class);
    }

    @Test
    @DisplayName("many loops fill, many threads poll: each completion is taken once, those of a loop in their order")
    void concurrent() throws Exception {
        int producers = 3;
        int consumers = 3;
        int each = 50_000;
        CompletionRing ring = new CompletionRing(256, events::incrementAndGet);
        ConcurrentLinkedQueue<Long> taken = new ConcurrentLinkedQueue<>();
        AtomicInteger outstanding = new AtomicInteger();
        AtomicInteger count = new AtomicInteger();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            long base = p * 1_000_000L;
            threads.add(new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    while (outstanding.incrementAndGet() > 250 && failure.get() == null) {
                        outstanding.decrementAndGet();
                        Thread.yield();
                    }
                    add(ring, base + i, false);
                }
            }));
        }
        for (int c = 0; c < consumers; c++) {
            threads.add(new Thread(() -> {
                long[] last = new long[producers];
                Arrays.fill(last, -1);
                try {
                    while (count.get() < producers * each && failure.get() == null) {
                        int polled = ring.poll(
                                (id, status, operation, bytes, pair, flags, key, vendor) -> {
                                    if (bytes != id || pair != (int) id) {
                                        throw new AssertionError("torn completion " + id);
                                    }
                                    int producer = (int) (id / 1_000_000);
                                    if (id % 1_000_000 <= last[producer]) {
                                        throw new AssertionError("out of order " + id);
                                    }
                                    last[producer] = id % 1_000_000;
                                    taken.add(id);
                                },
                                7);
                        outstanding.addAndGet(-polled);
                        count.addAndGet(polled);
                        if (polled == 0) {
                            Thread.yield();
                        }
                    }
                } catch (RdmaException | AssertionError e) {
                    failure.set(e);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failure).hasValue(null);
        assertThat(taken).hasSize(producers * each).doesNotHaveDuplicates();
    }
}
