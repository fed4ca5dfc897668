package org.verbena.rdma.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.core.recording.Recorder;
import org.verbena.rdma.core.scripted.CapturedLog;

class LaneTest {
    private final Dispatcher dispatcher = new Dispatcher(() -> 3, () -> 60_000, Recorder.NONE);

    @AfterEach
    void stop() {
        dispatcher.close();
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("C13: a lane runs on as many threads as it is wide and no more; another lane is not held up")
    void width() throws InterruptedException {
        Lane lane = dispatcher.lane("narrow");
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(3);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(20);
        for (int i = 0; i < 20; i++) {
            lane.execute("task", () -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                running.countDown();
                try {
                    await(go);
                } catch (InterruptedException stopped) {
                    throw new AssertionError(stopped);
                }
                inside.decrementAndGet();
                all.countDown();
            });
        }
        await(running);
        assertThat(lane.waiting()).isEqualTo(17);
        CountDownLatch other = new CountDownLatch(1);
        dispatcher.lane("other").execute("task", other::countDown);
        await(other);
        go.countDown();
        await(all);
        assertThat(most).hasValue(3);
    }

    @Test
    @DisplayName("A step that throws does not end the lane")
    void throwing() throws InterruptedException {
        Lane lane = dispatcher.lane("lane");
        for (int i = 0; i < 10; i++) {
            lane.execute("task", () -> {
                throw new AssertionError("on purpose");
            });
        }
        CountDownLatch done = new CountDownLatch(1);
        lane.execute("task", done::countDown);
        await(done);
    }

    @Test
    @DisplayName(
            "What waits behind a slow turn at the end of the dispatcher runs, and no missing thread is complained of")
    void closedMeanwhile() throws InterruptedException {
        Lane lane = dispatcher.lane("lane");
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch next = new CountDownLatch(1);
        try (CapturedLog log = new CapturedLog()) {
            lane.execute("slow", () -> {
                running.countDown();
                try {
                    await(go);
                } catch (InterruptedException stopped) {
                    throw new AssertionError(stopped);
                }
            });
            await(running);
            dispatcher.close();
            lane.execute("next", next::countDown);
            go.countDown();
            await(next);
            assertThat(log.text()).doesNotContain("no thread");
        }
    }

    @Test
    @DisplayName("C3: a turn for which no thread could be started runs when there is one again")
    void noThread() throws InterruptedException {
        AtomicInteger failures = new AtomicInteger(2);
        ExecutorService threads = Executors.newCachedThreadPool(work -> {
            return DispatcherThread.make(dispatcher, work, "test");
        });
        Lane lane = dispatcher.lane("lane", work -> {
            if (failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread, on purpose");
            }
            threads.execute(work);
        });
        CountDownLatch both = new CountDownLatch(2);
        lane.execute("task", both::countDown);
        lane.execute("task", both::countDown);
        await(both);
        threads.shutdownNow();
    }

    @Test
    @DisplayName("C3: a turn runs although the stack has ended where its thread was to be started")
    void noStack() throws InterruptedException {
        AtomicInteger starts = new AtomicInteger();
        ExecutorService threads =
                Executors.newCachedThreadPool(work -> DispatcherThread.make(dispatcher, work, "test"));
        try (Dispatcher narrow = new Dispatcher(() -> 1, () -> 60_000, Recorder.NONE)) {
            Lane lane = narrow.lane("lane", work -> {
                if (starts.incrementAndGet() == 1) {
                    throw new StackOverflowError("on purpose");
                }
                threads.execute(work);
            });
            CountDownLatch done = new CountDownLatch(1);

            lane.execute("task", done::countDown);

            await(done);
        }
        threads.shutdown();
    }

    @Test
    @DisplayName("C3: a turn runs although there is no memory to record it")
    void noMemoryToRecord() throws InterruptedException {
        Recorder full = new ShortRecorder();
        try (Dispatcher recorded = new Dispatcher(() -> 1, () -> 60_000, full)) {
            CountDownLatch done = new CountDownLatch(1);

            recorded.lane("lane").execute("task", done::countDown);

            await(done);
        }
    }

    /** Records callbacks, and has no memory for one. */
    private static final class ShortRecorder implements Recorder {
        @Override
        public boolean recordsCallbacks() {
            return true;
        }

        @Override
        public CallbackRecording beginCallback() {
            throw new OutOfMemoryError("on purpose");
        }

        @Override
        public void deviceUp(String device, String provider, String addresses) {}

        @Override
        public RemovalRecording beginRemoval(String device, String cause) {
            return NONE.beginRemoval(device, cause);
        }
    }

    @Test
    @DisplayName("C13: a turn for which no thread could be started does not wait for the end of a blocked one")
    void noThreadBesideABlockedOne() throws InterruptedException {
        AtomicInteger starts = new AtomicInteger();
        ExecutorService threads =
                Executors.newCachedThreadPool(work -> DispatcherThread.make(dispatcher, work, "test"));
        Lane lane = dispatcher.lane("lane", work -> {
            if (starts.incrementAndGet() == 2) {
                throw new OutOfMemoryError("unable to create native thread, on purpose");
            }
            threads.execute(work);
        });
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        lane.execute("task", () -> {
            blocked.countDown();
            try {
                await(go);
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        });
        await(blocked);
        CountDownLatch second = new CountDownLatch(1);

        lane.execute("task", second::countDown);

        await(second);
        go.countDown();
        threads.shutdown();
    }

    @Test
    @DisplayName("C13: a lane and the watch go on when whoever is told of a blocked callback throws")
    void listenerThrows() throws InterruptedException {
        CountDownLatch found = new CountDownLatch(2);
        CountDownLatch over = new CountDownLatch(2);
        try (Dispatcher narrow = new Dispatcher(() -> 1, () -> 1, Recorder.NONE)) {
            narrow.blockedCallbacks((callback, blocked) -> {
                (blocked ? found : over).countDown();
                throw new OutOfMemoryError("on purpose");
            });
            Lane lane = narrow.lane("lane");
            for (int i = 0; i < 2; i++) {
                long left = found.getCount();
                CountDownLatch done = new CountDownLatch(1);
                lane.execute("task", () -> {
                    while (found.getCount() == left && !Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                    done.countDown();
                });
                await(done);
            }
            await(over);
        }
    }

    @Test
    @DisplayName("C13: a blocked callback is reported, and not the one that follows it on its thread meanwhile")
    void blockedIsNotTheNext() throws InterruptedException {
        AtomicLong limit = new AtomicLong(1);
        CountDownLatch looked = new CountDownLatch(1);
        CountDownLatch nextRuns = new CountDownLatch(1);
        CountDownLatch reports = new CountDownLatch(2);
        CountDownLatch go = new CountDownLatch(1);
        List<String> reported = new CopyOnWriteArrayList<>();
        try (Dispatcher narrow = new Dispatcher(() -> 1, limit::get, Recorder.NONE)) {
            narrow.blockedCallbacks((callback, blocked) -> {
                reported.add(callback.label() + (blocked ? " blocks" : " has ended"));
                reports.countDown();
            });
            Lane lane = narrow.lane("lane");
            lane.schedule(new Turn() {
                @Override
                protected void step() {
                    awaitQuietly(looked);
                }

                @Override
                protected String label() {
                    // The watch has seen this callback, and now it ends and another one begins.
                    limit.set(60_000);
                    looked.countDown();
                    awaitQuietly(nextRuns);
                    return "first";
                }
            });
            lane.execute("second", () -> {
                nextRuns.countDown();
                awaitQuietly(go);
            });
            await(reports);
            go.countDown();
            CountDownLatch third = new CountDownLatch(1);
            lane.execute("third", third::countDown);
            await(third);
        }
        assertThat(reported).containsExactly("first blocks", "first has ended");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            await(latch);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @Test
    @DisplayName("Stress: every turn that is scheduled runs, from many threads at a time")
    void stress() throws InterruptedException {
        Lane lane = dispatcher.lane("busy");
        int threads = 4;
        int each = 20_000;
        CountDownLatch all = new CountDownLatch(threads * each);
        for (int t = 0; t < threads; t++) {
            new Thread(() -> {
                        for (int i = 0; i < each; i++) {
                            lane.execute("task", all::countDown);
                        }
                    })
                    .start();
        }
        await(all);
        assertThat(lane.waiting()).isZero();
    }
}
