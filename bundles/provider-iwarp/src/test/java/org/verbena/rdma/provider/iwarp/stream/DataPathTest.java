package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.peer.Completion;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;
import org.verbena.rdma.provider.iwarp.peer.TestDevice;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.ProviderListener;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;

class DataPathTest {
    @ParameterizedTest(name = "send, write and read carry data at {0}, CRC {1}")
    @CsvSource({"127.0.0.1,OFF", "127.0.0.1,REQUIRED", "::1,OFF", "::1,PREFERRED"})
    void allKinds(String address, CrcPolicy crc) throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS.withCrc(crc), address, Side.Sizes.DEFAULTS)) {
            Memory source = pair.device().memory(300_000).fill(1);
            Memory sink = pair.device().memory(300_000);

            pair.server().receive(new Request(7).segment(sink));
            pair.client().send(new Request(8).segment(source));
            Completion sent = pair.client().sends().next();
            Completion received = pair.server().receives().next();

            assertThat(sent.id()).isEqualTo(8);
            assertThat(sent.status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(received.id()).isEqualTo(7);
            assertThat(received.bytes()).isEqualTo(300_000);
            assertThat(received.operation()).isEqualTo(WorkCompletionOperation.RECEIVE);
            assertThat(sink.bytes()).isEqualTo(source.bytes());

            Memory target = pair.device().memory(300_000);
            pair.server().send(new Request(9).segment(source).write(target.address(), target.key()));
            pair.client().receive(new Request(10));
            pair.server().send(new Request(11));
            assertThat(pair.server().sends().next(2)).extracting(Completion::id).containsExactly(9L, 11L);
            assertThat(pair.client().receives().next().bytes()).isZero();
            assertThat(target.bytes()).isEqualTo(source.bytes());

            Memory read = pair.device().memory(300_000);
            pair.client().send(new Request(12).segment(read).read(target.address(), target.key()));
            Completion done = pair.client().sends().next();
            assertThat(done.operation()).isEqualTo(WorkCompletionOperation.READ);
            assertThat(done.bytes()).isEqualTo(300_000);
            assertThat(read.bytes()).isEqualTo(source.bytes());

            pair.client().endpoint().disconnect();
            assertThat(pair.client().events().next("disconnected").error()).isEqualTo(RdmaError.SUCCESS);
            assertThat(pair.server().events().next("disconnected").error()).isEqualTo(RdmaError.SUCCESS);
        }
    }

    private static IntStream sizes() {
        // All lengths around one, two and four frames of 1024 bytes, and around the limits of copying.
        int tagged = 1024 - 16 - 4;
        int untagged = 1024 - 20 - 4;
        return IntStream.of(
                        0,
                        1,
                        2,
                        3,
                        4,
                        5,
                        7,
                        8,
                        100,
                        511,
                        512,
                        513,
                        514,
                        untagged - 1,
                        untagged,
                        untagged + 1,
                        tagged - 1,
                        tagged,
                        tagged + 1,
                        2 * untagged - 1,
                        2 * untagged,
                        2 * untagged + 1,
                        2 * tagged - 1,
                        2 * tagged,
                        2 * tagged + 1,
                        4 * untagged,
                        4 * untagged + 1,
                        4 * tagged,
                        4 * tagged + 1,
                        4095,
                        4096,
                        4097,
                        8191,
                        8192,
                        8193,
                        70_001)
                .distinct();
    }

    @ParameterizedTest(name = "all lengths around the segment limits arrive whole, CRC {0}, segments of {1}")
    @CsvSource({"OFF,1024", "REQUIRED,1024", "OFF,65496", "REQUIRED,65496", "OFF,512"})
    void allLengths(CrcPolicy crc, int segment) throws Exception {
        Settings settings = Settings.DEFAULTS.withCrc(crc).withSegmentBytes(segment);
        try (Pair pair = Pair.connect(settings)) {
            Memory source = pair.device().memory(80_000).fill(3);
            for (int length : sizes().toArray()) {
                Memory sink = pair.device().memory(length + 2);
                pair.server().receive(new Request(1).segment(sink.region(), 1, length));
                pair.client().send(new Request(2).segment(source.region(), 5, length));
                assertThat(pair.client().sends().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
                assertThat(pair.server().receives().next().bytes()).isEqualTo(length);
                check(sink, source, length, "send");

                pair.client()
                        .send(new Request(3).segment(source.region(), 5, length).write(sink.address() + 1, sink.key()));
                pair.server().receive(new Request(4));
                pair.client().send(new Request(5));
                pair.client().sends().next(2);
                pair.server().receives().next();
                check(sink, source, length, "write");

                clear(sink);
                pair.server()
                        .send(new Request(6)
                                .segment(sink.region(), 1, length)
                                .read(source.address() + 5, source.key()));
                assertThat(pair.server().sends().next().bytes()).isEqualTo(length);
                check(sink, source, length, "read");
                sink.region().close();
            }
        }
    }

    private static void check(Memory sink, Memory source, int length, String how) {
        assertThat(sink.bytes(1, length)).as("%s of %d", how, length).isEqualTo(source.bytes(5, length));
        assertThat(sink.buffer().get(0)).as("before %s of %d", how, length).isZero();
        assertThat(sink.buffer().get(length + 1))
                .as("behind %s of %d", how, length)
                .isZero();
        clear(sink);
    }

    private static void clear(Memory memory) {
        for (int i = 0; i < memory.size(); i++) {
            memory.buffer().put(i, (byte) 0);
        }
    }

    @ParameterizedTest(name = "segments are gathered and scattered, empty ones among them, CRC {0}")
    @EnumSource(CrcPolicy.class)
    void scatterGather(CrcPolicy crc) throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS.withCrc(crc))) {
            Memory source = pair.device().memory(50_000).fill(9);
            Memory sink = pair.device().memory(50_000);
            Memory other = pair.device().memory(50_000);

            pair.server()
                    .receive(new Request(1)
                            .segment(sink.region(), 10, 1)
                            .segment(other.region(), 0, 0)
                            .segment(other.region(), 7, 20_000)
                            .segment(sink.region(), 100, 30_000));
            pair.client()
                    .send(new Request(2)
                            .segment(source.region(), 0, 3)
                            .segment(source.region(), 3, 0)
                            .segment(source.region(), 3, 700)
                            .segment(source.region(), 703, 1)
                            .segment(source.region(), 704, 39_297));
            assertThat(pair.server().receives().next().bytes()).isEqualTo(40_001);
            assertThat(sink.bytes(10, 1)).isEqualTo(source.bytes(0, 1));
            assertThat(other.bytes(7, 20_000)).isEqualTo(source.bytes(1, 20_000));
            assertThat(sink.bytes(100, 20_000)).isEqualTo(source.bytes(20_001, 20_000));

            Memory first = pair.device().memory(1_000);
            Memory second = pair.device().memory(29_000);
            pair.server()
                    .send(new Request(3).segment(first).segment(second).read(source.address() + 100, source.key()));
            pair.server().sends().next();
            assertThat(first.bytes()).isEqualTo(source.bytes(100, 1_000));
            assertThat(second.bytes()).isEqualTo(source.bytes(1_100, 29_000));
        }
    }

    @Test
    @DisplayName("a solicited send wakes who asked for solicited events only, a plain one does not")
    void solicited() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            for (int i = 0; i < 3; i++) {
                pair.server().receive(new Request(i));
            }
            pair.server().receives().queue().requestNotification(true);
            pair.client().send(new Request(10));
            pair.client().sends().next();
            pair.client().send(new Request(11).solicited());

            assertThat(pair.server().receives().awaitEvent(Duration.ofSeconds(20)))
                    .isTrue();
            assertThat(pair.server().receives().poll())
                    .extracting(Completion::id)
                    .containsExactly(0L, 1L);
            assertThat(pair.server().receives().events()).isZero();
        }
    }

    @Test
    @DisplayName("a send with invalidate tells the key, and takes the peer's access away")
    void invalidate() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            Memory target = pair.device().memory(100);
            Memory source = pair.device().memory(100).fill(1);
            pair.server().receive(new Request(1));
            pair.client().send(new Request(2).invalidate(target.key()));

            Completion received = pair.server().receives().next();
            assertThat(received.flags()).isEqualTo(CompletionSink.INVALIDATED);
            assertThat(received.key()).isEqualTo(target.key());

            pair.client().send(new Request(3).segment(source).write(target.address(), target.key()));
            pair.client().events().next("disconnected");
            assertThat(target.bytes()).containsOnly(0);
        }
    }

    @Test
    @DisplayName("requests that are not signalled complete in silence, and their slots can be used again")
    void unsignaled() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            Memory target = pair.device().memory(100);
            Memory source = pair.device().memory(100).fill(1);
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 63; i++) {
                    pair.client()
                            .send(new Request(i)
                                    .segment(source)
                                    .write(target.address(), target.key())
                                    .unsignaled());
                }
                pair.client().send(new Request(1000 + round).segment(source).write(target.address(), target.key()));
                assertThat(pair.client().sends().next().id()).isEqualTo(1000 + round);
            }
        }
    }

    @Test
    @DisplayName("more reads than may be under way wait for their turn; completions keep the order of posting")
    void manyReads() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            Memory source = pair.device().memory(64_000).fill(5);
            Memory sink = pair.device().memory(64_000);
            for (int i = 0; i < 64; i++) {
                Request request = new Request(i).segment(sink.region(), i * 1000L, 1000);
                pair.client()
                        .send(
                                i % 8 == 7
                                        ? request.write(sink.address() + i * 1000L, sink.key())
                                        : request.read(source.address() + i * 1000L, source.key()));
            }
            assertThat(pair.client().sends().next(64))
                    .extracting(Completion::id)
                    .containsExactlyElementsOf(LongStream.range(0, 64).boxed().toList());
            assertThat(sink.bytes(6000, 1000)).isEqualTo(source.bytes(6000, 1000));
        }
    }

    @Test
    @DisplayName("a fenced send goes out when the reads before it are answered")
    void fence() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            Memory source = pair.device().memory(1_000_000).fill(5);
            Memory sink = pair.device().memory(1_000_000);
            pair.server().receive(new Request(7).segment(pair.device().memory(16)));
            pair.client().send(new Request(1).segment(sink).read(source.address(), source.key()));
            pair.client()
                    .send(new Request(2).segment(sink.region(), 999_990, 10).fenced());

            pair.server().receives().next();
            assertThat(sink.bytes()).isEqualTo(source.bytes());
        }
    }

    @Test
    @DisplayName("reads where the peer serves none fail, instead of waiting without end")
    void noReads() throws Exception {
        TestDevice device = new TestDevice(Settings.DEFAULTS);
        ProviderListener listener = device.listen("127.0.0.1", 0);
        Side client = device.connecting(
                listener.localAddress(), TestDevice.parameters("").withResources(0, 0));
        TestDevice.Asked asked = device.nextRequest();
        try (Side server = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS)) {
            server.endpoint().accept(asked.parameters());
            client.events().next("established");
            Memory memory = device.memory(10);
            client.send(new Request(1).segment(memory).read(memory.address(), memory.key()));

            assertThat(client.sends().next().status()).isEqualTo(WorkCompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
            client.events().next("disconnected");
        }
        client.close();
        listener.close();
        device.close();
    }

    @Test
    @DisplayName("many connections take their receives from one shared queue")
    void sharedReceiveQueue() throws Exception {
        TestDevice device = new TestDevice(Settings.DEFAULTS);
        ProviderListener listener = device.listen("127.0.0.1", 0);
        ProviderSharedReceiveQueue shared = device.domain().createSharedReceiveQueue(32, 2);
        Side.Sizes sizes = new Side.Sizes(32, 0, 2, 256, shared);
        Memory sink = device.memory(32 * 100);
        List<Side> clients = new ArrayList<>();
        List<Side> servers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Side client = device.resolved(listener.localAddress(), Side.Sizes.DEFAULTS);
            client.endpoint().connect(TestDevice.parameters(""));
            TestDevice.Asked asked = device.nextRequest();
            Side server = new Side(device, asked.endpoint(), asked.events(), sizes);
            server.endpoint().accept(asked.parameters());
            client.events().next("established");
            clients.add(client);
            servers.add(server);
        }
        for (int i = 0; i < 32; i++) {
            shared.postReceive(new Request(i).segment(sink.region(), i * 100L, 100));
        }
        assertThatThrownBy(() -> shared.postReceive(new Request(99)))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.NO_MEMORY));
        Memory source = device.memory(100).fill(4);
        for (int i = 0; i < 32; i++) {
            clients.get(i % 4).send(new Request(i).segment(source));
        }
        List<Long> used = new ArrayList<>();
        for (Side server : servers) {
            server.receives().next(8).forEach(completion -> used.add(completion.id()));
        }
        assertThat(used).doesNotHaveDuplicates().hasSize(32);
        for (int i = 0; i < 32; i++) {
            assertThat(sink.bytes(i * 100, 100)).isEqualTo(source.bytes());
        }
        clients.forEach(Side::close);
        servers.forEach(Side::close);
        shared.close();
        listener.close();
        device.close();
    }

    @Test
    @DisplayName("a full queue refuses, and takes again what it has completed")
    void fullQueues() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS, "127.0.0.1", new Side.Sizes(3, 3, 1, 64, null))) {
            for (int i = 0; i < 3; i++) {
                pair.server().receive(new Request(i));
            }
            assertThatThrownBy(() -> pair.server().receive(new Request(9)))
                    .isInstanceOfSatisfying(
                            RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.NO_MEMORY));
            for (int round = 0; round < 100; round++) {
                pair.client().send(new Request(round));
                pair.client().sends().next();
                pair.server().receives().next();
                pair.server().receive(new Request(round));
            }
        }
    }

    @Test
    @DisplayName("loops that look for work before they sleep carry data too")
    void spinning() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS.withSpin(200))) {
            for (int round = 0; round < 200; round++) {
                pair.server().receive(new Request(1));
                pair.client().send(new Request(2));
                pair.server().receives().next();
                pair.client().sends().next();
            }
        }
    }

    @Test
    @DisplayName("traffic both ways at once, of all kinds, from several threads, arrives whole")
    void bothWays() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS.withSegmentBytes(4096))) {
            Memory left = pair.device().memory(1 << 20).fill(1);
            Memory right = pair.device().memory(1 << 20).fill(2);
            CompletableFuture<Void> one = CompletableFuture.runAsync(() -> writesAndReads(pair.client(), right));
            CompletableFuture<Void> two = CompletableFuture.runAsync(() -> writesAndReads(pair.server(), left));
            one.get(60, TimeUnit.SECONDS);
            two.get(60, TimeUnit.SECONDS);
        }
    }

    private static void writesAndReads(Side side, Memory remote) {
        try {
            Memory out = side.device().memory(100_000).fill(7);
            Memory in = side.device().memory(100_000);
            for (int round = 0; round < 200; round++) {
                int length = 1 + (round * 7919) % 100_000;
                side.send(new Request(1)
                        .segment(out.region(), 0, length)
                        .write(remote.address() + 1000, remote.key())
                        .unsignaled());
                side.send(new Request(2).segment(in.region(), 0, length).read(remote.address() + 1000, remote.key()));
                assertThat(side.sends().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
                assertThat(in.bytes(0, length)).isEqualTo(out.bytes(0, length));
            }
        } catch (RdmaException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
