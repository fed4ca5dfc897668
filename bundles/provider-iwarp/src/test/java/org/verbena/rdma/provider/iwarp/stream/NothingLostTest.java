package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.iwarp.peer.Completion;
import org.verbena.rdma.provider.iwarp.peer.Completions;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;

/** Whatever ends a connection, and whenever: each request that was taken completes, once. */
class NothingLostTest {
    private static final int ROUNDS = 6;
    private static final int POSTERS = 3;

    private enum End {
        FAIL,
        CLOSE,
        DISCONNECT,
        PEER_FAILS,
        PEER_DISCONNECTS,
        MEMORY_CLOSED
    }

    @ParameterizedTest(name = "while several threads post, {0}: each request completes once")
    @EnumSource(End.class)
    void eachCompletesOnce(End end) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (Pair pair = Pair.connect(Settings.DEFAULTS, "127.0.0.1", new Side.Sizes(128, 128, 2, 4_096, null))) {
                once(pair, end);
            }
        }
    }

    private static void once(Pair pair, End end) throws Exception {
        Side side = pair.client();
        Memory local = pair.device().memory(4_000);
        Memory remote = pair.device().memory(4_000);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger ids = new AtomicInteger();
        Set<Long> sent = ConcurrentHashMap.newKeySet();
        Set<Long> received = ConcurrentHashMap.newKeySet();
        Set<Long> sendsDone = ConcurrentHashMap.newKeySet();
        Set<Long> receivesDone = ConcurrentHashMap.newKeySet();
        CountDownLatch started = new CountDownLatch(POSTERS);
        List<Thread> posters = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int i = 0; i < POSTERS; i++) {
            Thread poster = new Thread(() -> {
                try {
                    started.countDown();
                    while (!stop.get()) {
                        // The completion queue holds what is outstanding, and what was not polled yet.
                        if (sent.size() - sendsDone.size() > 1_000 || received.size() - receivesDone.size() > 1_000) {
                            Thread.yield();
                            continue;
                        }
                        post(side, local, remote, ids.incrementAndGet(), sent, received);
                    }
                } catch (RdmaException | RuntimeException e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                }
            });
            posters.add(poster);
            poster.start();
        }
        started.await();
        Thread poller = new Thread(() -> {
            try {
                while (!stop.get()) {
                    take(side.sends(), sendsDone);
                    take(side.receives(), receivesDone);
                }
            } catch (RdmaException | RuntimeException | AssertionError e) {
                synchronized (failures) {
                    failures.add(e);
                }
            }
        });
        poller.start();
        long until = System.nanoTime() + ThreadLocalRandom.current().nextInt(3_000_000);
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        switch (end) {
            case FAIL, CLOSE -> side.queuePair().fail();
            case DISCONNECT -> side.endpoint().disconnect();
            case PEER_FAILS -> pair.server().queuePair().fail();
            case PEER_DISCONNECTS -> pair.server().endpoint().disconnect();
            case MEMORY_CLOSED -> local.region().close();
        }
        if (end != End.CLOSE) {
            side.events().next("disconnected");
        }
        stop.set(true);
        for (Thread poster : posters) {
            poster.join();
        }
        poller.join();
        side.closeQueuePair();
        take(side.sends(), sendsDone);
        take(side.receives(), receivesDone);
        assertThat(failures).isEmpty();
        assertThat(sendsDone).isEqualTo(sent);
        assertThat(receivesDone).isEqualTo(received);
    }

    private static void post(Side side, Memory local, Memory remote, long id, Set<Long> sent, Set<Long> received)
            throws RdmaException {
        try {
            // Entered before it is posted: its completion may be polled before post returns.
            if (id % 3 == 0) {
                received.add(id);
                side.receive(new Request(id).segment(local));
            } else {
                sent.add(id);
                Request request = new Request(id).segment(local);
                side.send(
                        id % 3 == 1
                                ? request.write(remote.address(), remote.key())
                                : request.read(remote.address(), remote.key()));
            }
        } catch (RdmaException e) {
            if (e.error() != RdmaError.NO_MEMORY) {
                throw e;
            }
            sent.remove(id);
            received.remove(id);
            Thread.yield();
        }
    }

    private static void take(Completions completions, Set<Long> done) throws RdmaException {
        List<Completion> polled;
        while (!(polled = completions.poll()).isEmpty()) {
            for (Completion completion : polled) {
                if (!done.add(completion.id())) {
                    throw new AssertionError("completed twice: " + completion);
                }
            }
        }
    }
}
