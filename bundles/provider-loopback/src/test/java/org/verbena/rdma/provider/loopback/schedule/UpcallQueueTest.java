package org.verbena.rdma.provider.loopback.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.provider.loopback.fake.ManualExecutor;

class UpcallQueueTest {
    private final List<String> made = new ArrayList<>();
    private final ManualExecutor executor = new ManualExecutor();

    @Test
    void makesUpcallsOneByOneInOrder() {
        UpcallQueue queue = new UpcallQueue(executor);
        queue.add(() -> made.add("a"));
        queue.add(() -> made.add("b"));
        assertThat(executor.size()).isEqualTo(1);
        executor.runOne();
        assertThat(made).containsExactly("a");
        queue.add(() -> made.add("c"));
        executor.runAll();
        assertThat(made).containsExactly("a", "b", "c");
    }

    @Test
    void keepsUpcallsWhilePaused() {
        UpcallQueue queue = UpcallQueue.paused(executor);
        queue.add(() -> made.add("a"));
        assertThat(executor.size()).isZero();
        queue.resume();
        executor.runAll();
        assertThat(made).containsExactly("a");
    }

    @Test
    void goesOnAfterAThrow() {
        UpcallQueue queue = new UpcallQueue(executor);
        queue.add(() -> {
            throw new IllegalStateException("on purpose");
        });
        queue.add(() -> made.add("b"));
        executor.runAll();
        assertThat(made).containsExactly("b");
    }

    @Test
    void makesNoneAfterClose() {
        UpcallQueue queue = new UpcallQueue(executor);
        queue.add(() -> made.add("a"));
        queue.close();
        queue.add(() -> made.add("b"));
        executor.runAll();
        assertThat(made).isEmpty();
    }

    @Test
    void closesInsideOfAnUpcallWithoutWaiting() {
        UpcallQueue queue = new UpcallQueue(executor);
        queue.add(() -> {
            queue.close();
            made.add("closed");
        });
        queue.add(() -> made.add("b"));
        executor.runAll();
        assertThat(made).containsExactly("closed");
    }

    @Test
    void closeWaitsForTheUpcallOfAnotherThread() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            UpcallQueue queue = new UpcallQueue(thread);
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch leave = new CountDownLatch(1);
            queue.add(() -> {
                inside.countDown();
                try {
                    leave.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                made.add("a");
            });
            inside.await();
            Thread closing = new Thread(() -> {
                queue.close();
                made.add("closed");
            });
            closing.start();
            await().until(() -> closing.getState() == Thread.State.WAITING);
            leave.countDown();
            closing.join();
            assertThat(made).containsExactly("a", "closed");
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void aClosedExecutorHurtsNobody() {
        UpcallQueue queue = new UpcallQueue(task -> {
            throw new RejectedExecutionException("closed");
        });
        queue.add(() -> made.add("a"));
        queue.close();
        assertThat(made).isEmpty();
    }

    @Test
    void upcallsOfManyThreadsNeverOverlap() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            UpcallQueue queue = new UpcallQueue(threads);
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            AtomicInteger count = new AtomicInteger();
            List<Thread> adding = new ArrayList<>();
            for (int index = 0; index < 4; index++) {
                Thread thread = new Thread(() -> {
                    for (int upcall = 0; upcall < 1000; upcall++) {
                        queue.add(() -> {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            count.incrementAndGet();
                            inside.decrementAndGet();
                        });
                    }
                });
                adding.add(thread);
                thread.start();
            }
            for (Thread thread : adding) {
                thread.join();
            }
            await().until(() -> count.get() == 4000);
            assertThat(most.get()).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
    }
}
