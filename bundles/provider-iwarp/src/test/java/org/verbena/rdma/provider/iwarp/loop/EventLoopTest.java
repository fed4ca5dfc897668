package org.verbena.rdma.provider.iwarp.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who does a loop's work when others help. */
class EventLoopTest {
    private static final long SECONDS = 60;

    private EventLoops loops;
    private EventLoop loop;

    private static final class Counted extends LoopWork {
        private final AtomicInteger runs = new AtomicInteger();
        private final AtomicReference<Thread> thread = new AtomicReference<>();

        @Override
        protected void run() {
            thread.set(Thread.currentThread());
            runs.incrementAndGet();
        }
    }

    @BeforeEach
    void start() throws Exception {
        loops = EventLoops.start("test", 1, Duration.ZERO);
        loop = loops.all().get(0);
    }

    @AfterEach
    void stop() {
        loops.stop();
    }

    /** Helps until it was not refused: the loop's thread needs a while to fall asleep. */
    private void helped(Runnable turn) {
        AtomicInteger turns = new AtomicInteger();
        while (turns.get() == 0) {
            loop.help(
                    () -> {
                        turns.incrementAndGet();
                        turn.run();
                    },
                    true);
            Thread.onSpinWait();
        }
    }

    @Test
    @DisplayName("who helps is on the loop meanwhile, and not afterwards")
    void isCurrent() {
        AtomicReference<Thread> thread = new AtomicReference<>();
        AtomicBoolean current = new AtomicBoolean();
        helped(() -> {
            current.set(loop.isCurrent());
            thread.set(Thread.currentThread());
        });
        assertThat(current).isTrue();
        assertThat(thread.get()).isSameAs(Thread.currentThread());
        assertThat(loop.isCurrent()).isFalse();
    }

    @Test
    @DisplayName("deferred work is done by who helps")
    void deferred() {
        // The loop's thread may wake once more, for its start, and do the work itself.
        await().atMost(Duration.ofSeconds(SECONDS)).until(() -> {
            Counted work = new Counted();
            loop.defer(work);
            AtomicInteger runsBeforeTheTurn = new AtomicInteger();
            helped(() -> runsBeforeTheTurn.set(work.runs.get()));
            assertThat(runsBeforeTheTurn).hasValue(1);
            return work.thread.get() == Thread.currentThread();
        });
    }

    @Test
    @DisplayName("deferred work is done by the loop's thread when it is awake anyway")
    void deferredAndWoken() {
        Counted work = new Counted();
        loop.defer(work);
        while (work.runs.get() == 0) {
            loop.execute(() -> {});
            Thread.onSpinWait();
        }
        assertThat(work.runs).hasValue(1);
        assertThat(work.thread.get()).isNotSameAs(Thread.currentThread());
    }

    @Test
    @DisplayName("who waits for a task does it itself if the loop's thread sleeps")
    void waitsNot() {
        await().atMost(Duration.ofSeconds(SECONDS)).until(() -> {
            helped(() -> {});
            AtomicReference<Thread> thread = new AtomicReference<>();
            AtomicBoolean current = new AtomicBoolean();
            loop.executeAndWait(() -> {
                current.set(loop.isCurrent());
                thread.set(Thread.currentThread());
            });
            assertThat(current).isTrue();
            assertThat(loop.isCurrent()).isFalse();
            return thread.get() == Thread.currentThread();
        });
    }

    @Test
    @DisplayName("a task that is waited for comes after those that the same thread has handed over before")
    void inOrder() {
        for (int round = 0; round < 2_000; round++) {
            AtomicInteger done = new AtomicInteger();
            AtomicInteger before = new AtomicInteger();
            loop.execute(done::incrementAndGet);
            loop.executeAndWait(() -> before.set(done.get()));
            assertThat(before).hasValue(1);
        }
    }

    @Test
    @DisplayName("work that defers itself again and again does not keep the loop's thread from sleeping")
    void defersItself() {
        LoopWork work = new LoopWork() {
            @Override
            protected void run() {
                loop.defer(this);
            }
        };
        loop.schedule(work);
        // Nobody can help while the loop's thread is awake.
        helped(() -> {});
    }

    @Test
    @DisplayName("nobody helps while the loop's thread is at work")
    void busy() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        loop.execute(() -> {
            inside.countDown();
            awaitQuietly(leave);
        });
        assertThat(inside.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        AtomicInteger turns = new AtomicInteger();
        loop.help(turns::incrementAndGet, true);
        assertThat(turns).hasValue(0);
        leave.countDown();
    }

    @Test
    @DisplayName("the loop's thread, and the end of a turn, are waited for while somebody helps")
    void waits() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        AtomicInteger over = new AtomicInteger();
        CompletableFuture<Void> helper = CompletableFuture.runAsync(() -> helped(() -> {
            inside.countDown();
            awaitQuietly(leave);
            over.set(1);
        }));
        assertThat(inside.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Integer> task = new CompletableFuture<>();
        loop.execute(() -> task.complete(over.get()));
        CompletableFuture<Integer> awaited = CompletableFuture.supplyAsync(() -> {
            AtomicInteger then = new AtomicInteger();
            loop.executeAndWait(() -> then.set(over.get()));
            return then.get();
        });
        CompletableFuture<Integer> turn = CompletableFuture.supplyAsync(() -> {
            loop.awaitTurnEnd();
            return over.get();
        });
        assertThat(task).isNotDone();
        assertThat(turn).isNotDone();
        assertThat(awaited).isNotDone();
        leave.countDown();
        assertThat(task.get(SECONDS, TimeUnit.SECONDS)).isOne();
        assertThat(turn.get(SECONDS, TimeUnit.SECONDS)).isOne();
        assertThat(awaited.get(SECONDS, TimeUnit.SECONDS)).isOne();
        helper.get(SECONDS, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("a timer that a helper starts goes off")
    void timer() throws Exception {
        CountDownLatch fired = new CountDownLatch(1);
        helped(() -> loop.after(1_000, fired::countDown));
        assertThat(fired.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("a turn of a helper's that fails hurts neither it nor the loop")
    void fails() throws Exception {
        helped(() -> {
            throw new IllegalStateException("wanted by a test");
        });
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(done::countDown);
        assertThat(done.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        helped(() -> {});
    }

    @Test
    @DisplayName("after the end nobody helps any more")
    void stopped() {
        helped(() -> {});
        loops.stop();
        AtomicInteger turns = new AtomicInteger();
        loop.help(turns::incrementAndGet, true);
        assertThat(turns).hasValue(0);
    }

    @Test
    @DisplayName("no work is lost, and none is done twice at a time, between many who hand over and help")
    void nothingLost() throws Exception {
        int threads = 3;
        int rounds = 20_000;
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        CompletableFuture<?>[] all = new CompletableFuture<?>[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = CompletableFuture.runAsync(() -> {
                AtomicInteger done = new AtomicInteger();
                LoopWork work = new LoopWork() {
                    @Override
                    protected void run() {
                        if (inside.incrementAndGet() > 1) {
                            overlaps.incrementAndGet();
                        }
                        done.incrementAndGet();
                        inside.decrementAndGet();
                    }
                };
                for (int round = 1; round <= rounds; round++) {
                    if (round % 3 == 0) {
                        loop.schedule(work);
                    } else {
                        loop.defer(work);
                    }
                    while (done.get() < round) {
                        if (round % 3 != 0) {
                            loop.help(() -> {}, true);
                        }
                        Thread.onSpinWait();
                    }
                }
            });
        }
        CompletableFuture.allOf(all).get(2 * SECONDS, TimeUnit.SECONDS);
        assertThat(overlaps).hasValue(0);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
