package org.verbena.rdma.provider.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.Access;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.loopback.fake.Completions;
import org.verbena.rdma.provider.loopback.fake.Core;
import org.verbena.rdma.provider.loopback.fake.Pair;
import org.verbena.rdma.provider.loopback.fake.Side;
import org.verbena.rdma.provider.loopback.fake.Work;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;

class ConcurrencyTest {
    private static final int ROUNDS = 2000;
    private static final int MANY = 60_000;

    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    /** Threads that begin together. */
    private static final class Crowd {
        private final CountDownLatch start = new CountDownLatch(1);
        private final List<Thread> threads = new ArrayList<>();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();

        Crowd add(Action action) {
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                    action.run();
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            });
            threads.add(thread);
            thread.start();
            return this;
        }

        void run() throws InterruptedException {
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failure.get()).isNull();
        }
    }

    private static long drain(Side side, AtomicLong polled) throws RdmaException {
        int count = Completions.of(side.sends()).size()
                + Completions.of(side.receives()).size();
        return polled.addAndGet(count);
    }

    /** Posts for so many rounds, in some of which the queue is full. */
    private static void post(ProviderQueuePair queuePair, boolean sends, AtomicLong posted, AtomicLong tried)
            throws RdmaException {
        for (int round = 0; round < ROUNDS; round++) {
            tried.incrementAndGet();
            try {
                if (sends) {
                    queuePair.postSend(Work.send(round));
                } else {
                    queuePair.postReceive(Work.receive(round));
                }
                posted.incrementAndGet();
            } catch (RdmaException full) {
                assertThat(full.error()).isEqualTo(RdmaError.NO_MEMORY);
                Thread.yield();
            }
        }
    }

    @RepeatedTest(10)
    void everyRequestHasOneCompletionWhateverFails() throws Exception {
        Core core = new Core();
        Pair pair = Pair.connected(
                core,
                new Side(core.add("client", "100::1"), MANY),
                new Side(core.add("server", "100::2"), MANY),
                Core.parameters());
        Side client = pair.client();
        Side server = pair.server();
        AtomicLong posted = new AtomicLong();
        AtomicLong tried = new AtomicLong();
        new Crowd()
                .add(() -> post(client.queuePair(), true, posted, tried))
                .add(() -> post(client.queuePair(), true, posted, tried))
                .add(() -> post(server.queuePair(), false, posted, tried))
                .add(() -> post(server.queuePair(), true, posted, tried))
                .add(() -> post(client.queuePair(), false, posted, tried))
                .add(() -> {
                    while (tried.get() < ROUNDS) {
                        Thread.yield();
                    }
                    server.queuePair().fail();
                })
                .run();
        client.queuePair().close();
        server.queuePair().close();
        AtomicLong polled = new AtomicLong();
        drain(client, polled);
        drain(server, polled);
        assertThat(polled.get()).isEqualTo(posted.get());
    }

    /** Posts so many, again and again while the queue is full. */
    private static void postAll(ProviderQueuePair queuePair, boolean sends) throws RdmaException {
        AtomicLong posted = new AtomicLong();
        while (posted.get() < ROUNDS) {
            try {
                if (sends) {
                    queuePair.postSend(Work.send(posted.get()));
                } else {
                    queuePair.postReceive(Work.receive(posted.get()));
                }
                posted.incrementAndGet();
            } catch (RdmaException full) {
                assertThat(full.error()).isEqualTo(RdmaError.NO_MEMORY);
                Thread.yield();
            }
        }
    }

    private static void assertAll(List<Completions.Completion> completions) {
        assertThat(completions).hasSize(ROUNDS);
        for (int index = 0; index < ROUNDS; index++) {
            assertThat(completions.get(index).id()).isEqualTo(index);
            assertThat(completions.get(index).status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        }
    }

    @RepeatedTest(10)
    void noSendIsForgottenWhileReceivesCome() throws Exception {
        Core core = new Core();
        Pair pair = Pair.connected(
                core,
                new Side(core.add("client", "100::1"), MANY),
                new Side(core.add("server", "100::2"), MANY),
                Core.parameters());
        Side client = pair.client();
        Side server = pair.server();
        new Crowd()
                .add(() -> postAll(client.queuePair(), true))
                .add(() -> postAll(server.queuePair(), false))
                .add(() -> postAll(server.queuePair(), true))
                .add(() -> postAll(client.queuePair(), false))
                .run();
        assertAll(Completions.of(client.sends()));
        assertAll(Completions.of(client.receives()));
        assertAll(Completions.of(server.sends()));
        assertAll(Completions.of(server.receives()));
    }

    @Test
    void aSendAndAReceiveThatMeetFindEachOther() throws Exception {
        Pair pair = Pair.connected();
        Side client = pair.client();
        Side server = pair.server();
        Work send = Work.send(1);
        Work receive = Work.receive(2);
        CyclicBarrier together = new CyclicBarrier(2);
        int rounds = 20_000;
        new Crowd()
                .add(() -> {
                    for (int round = 0; round < rounds; round++) {
                        together.await();
                        client.queuePair().postSend(send);
                    }
                })
                .add(() -> {
                    for (int round = 0; round < rounds; round++) {
                        together.await();
                        server.queuePair().postReceive(receive);
                        while (client.sent().isEmpty()) {
                            Thread.onSpinWait();
                        }
                        server.received();
                    }
                })
                .run();
    }

    @RepeatedTest(10)
    void noSendIsForgottenWhileReceivesAreShared() throws Exception {
        Core core = new Core();
        Side shared = new Side(core.add("server", "100::1"), MANY);
        ProviderSharedReceiveQueue queue = shared.domain().createSharedReceiveQueue(8, 0);
        shared.sharedReceiveQueue(queue);
        Side first = new Side(core.add("first", "100::2"), MANY);
        Side second = new Side(core.add("second", "100::3"), MANY);
        Pair.connected(core, first, shared, Core.parameters()).listener().close();
        Pair.connected(core, second, shared, Core.parameters());
        new Crowd()
                .add(() -> postAll(first.queuePair(), true))
                .add(() -> postAll(second.queuePair(), true))
                .add(() -> {
                    int posted = 0;
                    while (posted < 2 * ROUNDS) {
                        try {
                            queue.postReceive(Work.receive(posted));
                            posted++;
                        } catch (RdmaException full) {
                            Thread.yield();
                        }
                    }
                })
                .run();
        assertAll(Completions.of(first.sends()));
        assertAll(Completions.of(second.sends()));
        assertThat(Completions.of(shared.receives())).hasSize(2 * ROUNDS);
    }

    @RepeatedTest(10)
    void closeOfBothEndsAtATimeEnds() throws Exception {
        Pair pair = Pair.connected();
        for (int count = 0; count < 16; count++) {
            pair.client().queuePair().postSend(Work.send(count));
            pair.server().queuePair().postSend(Work.send(count));
        }
        new Crowd()
                .add(() -> pair.client().queuePair().close())
                .add(() -> pair.server().queuePair().close())
                .add(pair.core().upcalls()::runAll)
                .run();
        assertThat(pair.client().sent()).hasSize(16);
        assertThat(pair.server().sent()).hasSize(16);
    }

    @RepeatedTest(5)
    void noByteIsTouchedAfterTheCloseOfARegion() throws Exception {
        Pair pair = Pair.connected();
        Side client = pair.client();
        int size = 1 << 20;
        ByteBuffer target = ByteBuffer.allocateDirect(size);
        ProviderMemoryRegion source = client.register(ByteBuffer.allocateDirect(size), EnumSet.allOf(Access.class));
        ProviderMemoryRegion sink = pair.server().register(target, EnumSet.allOf(Access.class));
        Work write = Work.write(1, sink.remoteAddress(), sink.remoteKey()).segment(source, 0, size);
        CountDownLatch writing = new CountDownLatch(1);
        new Crowd()
                .add(() -> {
                    String last;
                    do {
                        client.queuePair().postSend(write);
                        last = client.sent().get(0);
                        writing.countDown();
                    } while (last.equals("1 SUCCESS WRITE"));
                    assertThat(last).isEqualTo("1 REMOTE_ACCESS_ERROR WRITE");
                })
                .add(() -> {
                    writing.await();
                    sink.close();
                    for (int index = 0; index < size; index++) {
                        target.put(index, (byte) 1);
                    }
                    for (int look = 0; look < 3; look++) {
                        int touched = 0;
                        for (int index = 0; index < size; index++) {
                            touched += target.get(index) == 1 ? 0 : 1;
                        }
                        assertThat(touched).isZero();
                    }
                })
                .run();
    }

    @Test
    void postAndPollAllocateNothing() throws Exception {
        Pair pair = Pair.connected();
        Side client = pair.client();
        Side server = pair.server();
        Work receive = Work.receive(1).segment(server.region(), 0, 64);
        Work send = Work.send(2).segment(client.region(), 0, 64);
        Work write = Work.write(
                        3, server.region().remoteAddress(), server.region().remoteKey())
                .segment(client.region(), 0, 64);
        CompletionSink nowhere = (id, status, operation, bytes, number, flags, key, vendor) -> {};
        Action round = () -> {
            server.queuePair().postReceive(receive);
            client.queuePair().postSend(send);
            client.queuePair().postSend(write);
            client.sends().poll(nowhere, 16);
            server.receives().poll(nowhere, 16);
        };
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int count = 0; count < 20_000; count++) {
            round.run();
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int count = 0; count < 10_000; count++) {
            round.run();
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(allocated).as("bytes in 10000 rounds").isLessThan(10_000);
    }
}
