package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.peer.Completion;
import org.verbena.rdma.provider.iwarp.peer.Completions;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;

/** Consumers that poll without pause, and do their connections' work by that. */
class PollersTest {
    private static final Side.Sizes LARGE = new Side.Sizes(64, 64, 1, 256, null);
    private static final int SPINS = 200;
    private static final long SECONDS = 60;

    /** Polls until so many have come; nothing else does that queue's connections' work after a while. */
    private static List<Completion> spin(Completions queue, int count) throws RdmaException {
        List<Completion> taken = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (taken.size() < count) {
            taken.addAll(queue.poll());
            if (System.nanoTime() > end) {
                throw new AssertionError("polled for " + count + " completions, only got " + taken);
            }
        }
        return taken;
    }

    private static void spinForNothing(Completions queue) throws RdmaException {
        for (int i = 0; i < SPINS; i++) {
            assertThat(queue.poll()).isEmpty();
        }
    }

    /** Something to be done while others poll. */
    private interface Action {
        void run() throws Exception;
    }

    private static void whilePolled(Action action, Completions... queues) throws Exception {
        List<Poller> pollers = Arrays.stream(queues).map(Poller::new).toList();
        try {
            action.run();
        } finally {
            for (Poller poller : pollers) {
                poller.stop();
            }
        }
    }

    /** A thread that polls for nothing until it is stopped. */
    private static final class Poller {
        private final AtomicBoolean over = new AtomicBoolean();
        private final CompletableFuture<Void> polling;

        Poller(Completions queue) {
            polling = CompletableFuture.runAsync(() -> {
                try {
                    while (!over.get()) {
                        queue.poll();
                    }
                } catch (RdmaException e) {
                    throw new AssertionError(e);
                }
            });
        }

        void stop() throws Exception {
            over.set(true);
            polling.get(SECONDS, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest(name = "all operations of all sizes arrive whole between two that poll, CRC {0}")
    @EnumSource(names = {"OFF", "REQUIRED"})
    void everything(CrcPolicy crc) throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS.withCrc(crc), "127.0.0.1", LARGE)) {
            int[] lengths = {0, 1, 8, 513, 4_096, 70_001, 1 << 20};
            Memory source = pair.device().memory(1 << 20).fill(3);
            Memory received = pair.device().memory(1 << 20);
            Memory written = pair.device().memory(1 << 20);
            Memory read = pair.device().memory(1 << 20);
            for (int round = 0; round < 20; round++) {
                CompletableFuture<List<Completion>> server = CompletableFuture.supplyAsync(() -> {
                    try {
                        return spin(pair.server().receives(), lengths.length);
                    } catch (RdmaException e) {
                        throw new AssertionError(e);
                    }
                });
                for (int length : lengths) {
                    pair.server().receive(new Request(length).segment(received.region(), 0, length));
                    pair.client()
                            .send(new Request(1)
                                    .segment(source.region(), 0, length)
                                    .write(written.address(), written.key()));
                    pair.client()
                            .send(new Request(2)
                                    .segment(read.region(), 0, length)
                                    .read(source.address(), source.key()));
                    pair.client().send(new Request(3).segment(source.region(), 0, length));
                    assertThat(spin(pair.client().sends(), 3))
                            .extracting(Completion::status)
                            .containsOnly(WorkCompletionStatus.SUCCESS);
                }
                assertThat(server.get(SECONDS, TimeUnit.SECONDS))
                        .extracting(Completion::bytes)
                        .containsExactlyElementsOf(
                                Arrays.stream(lengths).mapToObj(Long::valueOf).toList());
                assertThat(received.bytes()).isEqualTo(source.bytes());
                assertThat(written.bytes()).isEqualTo(source.bytes());
                assertThat(read.bytes()).isEqualTo(source.bytes());
            }
        }
    }

    @ParameterizedTest(name = "who polls for a while and then waits to be notified is notified, pollers {0}")
    @ValueSource(booleans = {true, false})
    void notified(boolean pollers) throws Exception {
        Settings settings = pollers ? Settings.DEFAULTS : Settings.DEFAULTS.withoutPollers();
        try (Pair pair = Pair.connect(settings)) {
            for (int round = 0; round < 300; round++) {
                pair.server().receive(new Request(1));
                pair.client().send(new Request(2));
                spin(pair.server().receives(), 1);
                pair.client().sends().next();
                pair.server().receive(new Request(3));
                spinForNothing(pair.server().receives());
                pair.server().receives().queue().requestNotification(false);
                assertThat(pair.server().receives().poll()).isEmpty();
                pair.client().send(new Request(4));
                assertThat(pair.server().receives().awaitEvent(Duration.ofSeconds(SECONDS)))
                        .isTrue();
                assertThat(pair.server().receives().poll()).hasSize(1);
                pair.client().sends().next();
            }
        }
    }

    @Test
    @DisplayName("what is posted goes out, and what comes is taken, when who has polled stops without a word")
    void stopsPolling() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            Memory target = pair.device().memory(100_000);
            Memory source = pair.device().memory(100_000);
            for (int round = 1; round <= 100; round++) {
                pair.server().receive(new Request(1));
                pair.client().send(new Request(2));
                spin(pair.server().receives(), 1);
                spin(pair.client().sends(), 1);
                spinForNothing(pair.server().receives());

                // The client waits for a read that only the server's side can answer; nobody polls that any more.
                pair.client()
                        .send(new Request(3)
                                .segment(target)
                                .read(source.fill(round).address(), source.key()));
                assertThat(pair.client().sends().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
                assertThat(target.bytes()).isEqualTo(source.bytes());

                // And the server posts without polling afterwards.
                pair.client().receive(new Request(4));
                spinForNothing(pair.server().receives());
                pair.server().send(new Request(5));
                pair.client().receives().next();
                pair.server().sends().next();
            }
        }
    }

    @Test
    @DisplayName("a sender that TCP has held up goes on when its poller has gone")
    void heldUp() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS.withPeerToPeer(), "127.0.0.1", LARGE)) {
            Memory source = pair.device().memory(1 << 20).fill(9);
            Memory target = pair.device().memory(1 << 20);
            pair.client().receive(new Request(1));
            pair.server().send(new Request(2));
            spin(pair.client().receives(), 1);
            whilePolled(
                    () -> {
                        for (int i = 0; i < 32; i++) {
                            pair.client().send(new Request(i).segment(source).write(target.address(), target.key()));
                        }
                    },
                    pair.client().receives());
            assertThat(pair.client().sends().next(32))
                    .extracting(Completion::status)
                    .containsOnly(WorkCompletionStatus.SUCCESS);
        }
    }

    @Test
    @DisplayName("an interrupt of who polls does the connection no harm")
    void interrupted() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            for (int round = 0; round < 50; round++) {
                pair.server().receive(new Request(1));
                spinForNothing(pair.server().receives());
                Thread.currentThread().interrupt();
                pair.client().send(new Request(2));
                spin(pair.server().receives(), 1);
                spin(pair.client().sends(), 1);
                pair.client().receive(new Request(3));
                pair.server().send(new Request(4));
                spin(pair.client().receives(), 1);
                spin(pair.server().sends(), 1);
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(pair.client().events().isEmpty()).isTrue();
            assertThat(pair.server().events().isEmpty()).isTrue();
        }
    }

    @Test
    @DisplayName("connections that end while they are polled for end in good order, whoever is first")
    void ends() throws Exception {
        for (int i = 0; i < 40; i++) {
            int round = i;
            try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
                pair.server().receive(new Request(1));
                pair.client().receive(new Request(2));
                whilePolled(
                        () -> {
                            pair.client().send(new Request(3));
                            pair.server().send(new Request(4));
                            pair.client().sends().next();
                            pair.server().sends().next();
                            Side first = round % 2 == 0 ? pair.client() : pair.server();
                            first.endpoint().disconnect();
                            if (round % 4 >= 2) {
                                (first == pair.client() ? pair.server() : pair.client())
                                        .endpoint()
                                        .disconnect();
                            }
                            assertThat(pair.client()
                                            .events()
                                            .next("disconnected")
                                            .error())
                                    .isEqualTo(RdmaError.SUCCESS);
                            assertThat(pair.server()
                                            .events()
                                            .next("disconnected")
                                            .error())
                                    .isEqualTo(RdmaError.SUCCESS);
                        },
                        pair.client().receives(),
                        pair.server().receives());
            }
        }
    }

    @ParameterizedTest(name = "C19: memory is not touched after its close by who polls, CRC {0}")
    @EnumSource(names = {"OFF", "REQUIRED"})
    void memory(CrcPolicy crc) throws Exception {
        int size = 256 * 1024;
        byte[] later = new byte[size];
        Arrays.fill(later, (byte) 0x5A);
        for (int number = 0; number < 40; number++) {
            int round = number;
            try (Pair pair = Pair.connect(Settings.DEFAULTS.withCrc(crc), "127.0.0.1", LARGE)) {
                Memory source = pair.device().memory(size).fill(round);
                Memory target = pair.device().memory(size);
                whilePolled(
                        () -> {
                            for (int i = 0; i < 16; i++) {
                                pair.client()
                                        .send(new Request(i).segment(source).write(target.address(), target.key()));
                            }
                            if (round % 2 == 0) {
                                pair.client().sends().next();
                            }
                            target.region().close();
                            target.buffer().put(0, later);
                            pair.client().send(new Request(16).segment(source).write(target.address(), target.key()));
                            pair.client().events().next("disconnected");
                            pair.server().events().next("disconnected");
                        },
                        pair.client().receives(),
                        pair.server().receives());
                assertThat(Arrays.equals(target.bytes(), later)).isTrue();
            }
        }
    }

    @Test
    @DisplayName("queue pairs and devices close while others poll")
    void closes() throws Exception {
        for (int round = 0; round < 40; round++) {
            try (Pair pair = Pair.connect(Settings.DEFAULTS, "127.0.0.1", LARGE)) {
                Memory memory = pair.device().memory(100_000);
                Poller one = new Poller(pair.client().sends());
                Poller two = new Poller(pair.server().receives());
                for (int i = 0; i < 32; i++) {
                    pair.server().receive(new Request(i).segment(memory));
                }
                for (int i = 0; i < 32; i++) {
                    pair.client().send(new Request(i).segment(memory));
                }
                pair.server().closeQueuePair();
                pair.client().closeQueuePair();
                one.stop();
                two.stop();
                pair.server().receives().poll();
                pair.client().sends().poll();
                assertThat(pair.server().receives().poll()).isEmpty();
                assertThat(pair.client().sends().poll()).isEmpty();
            }
        }
    }
}
