package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.rdma.Access;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.peer.Completion;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.RawPeer;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;
import org.verbena.rdma.provider.iwarp.peer.TestDevice;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.ProviderListener;

/** Immediate data and atomics (RFC 7306), and that nobody gets them who does not take them. */
class ExtensionsTest {
    private static final long OFFER_OFFSET = 0x5665_7262_656E_6101L;
    private static final byte[] OFFER = RawPeer.write(0x7306_0001, OFFER_OFFSET, new byte[0]);
    private static final byte[] ANSWER = RawPeer.write(0x7306_0002, OFFER_OFFSET, new byte[0]);

    private static Memory counters(TestDevice device, long... values) throws Exception {
        Memory memory = device.memory(values.length * Long.BYTES, EnumSet.allOf(Access.class));
        for (int i = 0; i < values.length; i++) {
            memory.buffer().order(ByteOrder.nativeOrder()).putLong(i * Long.BYTES, values[i]);
        }
        return memory;
    }

    private static long word(Memory memory, int index) {
        return memory.buffer().order(ByteOrder.nativeOrder()).getLong(index * Long.BYTES);
    }

    @Test
    @DisplayName(
            "a device offers immediate data and atomics, but no immediate data with a send of bytes, or none of it")
    void capabilities() throws Exception {
        try (TestDevice with = new TestDevice(Settings.DEFAULTS);
                TestDevice without = new TestDevice(Settings.DEFAULTS.withoutExtensions())) {
            assertThat(with.device().attributes().supports(DeviceCapability.IMMEDIATE_DATA))
                    .isTrue();
            assertThat(with.device().attributes().supports(DeviceCapability.ATOMICS))
                    .isTrue();
            assertThat(with.device().attributes().supports(DeviceCapability.SEND_WITH_IMMEDIATE_DATA))
                    .isFalse();
            assertThat(without.device().attributes().supports(DeviceCapability.IMMEDIATE_DATA))
                    .isFalse();
            assertThat(without.device().attributes().supports(DeviceCapability.ATOMICS))
                    .isFalse();
        }
    }

    @ParameterizedTest(name = "writes with immediate data land before it is told, CRC {0}")
    @EnumSource(names = {"OFF", "REQUIRED"})
    void writeWithImmediate(CrcPolicy crc) throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS.withCrc(crc))) {
            int round = 0;
            for (int bytes : new int[] {0, 1, 8, 600, 5_000, 200_000}) {
                Memory source = pair.device().memory(Math.max(1, bytes)).fill(bytes);
                Memory target = pair.device().memory(Math.max(1, bytes));
                pair.server().receive(new Request(100 + round));
                pair.client()
                        .send(new Request(round)
                                .segment(source.region(), 0, bytes)
                                .writeWithImmediate(target.address(), target.key(), 0xCAFE0000 + round));

                Completion received = pair.server().receives().next();
                assertThat(received.id()).isEqualTo(100 + round);
                assertThat(received.operation()).isEqualTo(WorkCompletionOperation.RECEIVE_WRITE_WITH_IMMEDIATE);
                assertThat(received.bytes()).isEqualTo(bytes);
                assertThat(received.flags()).isEqualTo(CompletionSink.IMMEDIATE_DATA);
                assertThat(received.key()).isEqualTo(0xCAFE0000 + round);
                assertThat(Arrays.equals(target.bytes(0, bytes), source.bytes(0, bytes)))
                        .isTrue();
                Completion sent = pair.client().sends().next();
                assertThat(sent.id()).isEqualTo(round);
                assertThat(sent.operation()).isEqualTo(WorkCompletionOperation.WRITE);
                round++;
            }
        }
    }

    @Test
    @DisplayName("immediate data alone uses up a receive, in the order of the sends, and may be solicited")
    void immediateAlone() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            Memory memory = pair.device().memory(100);
            for (int i = 0; i < 4; i++) {
                pair.server().receive(new Request(i).segment(memory));
            }
            pair.server().receives().queue().requestNotification(true);
            pair.client().send(new Request(0).segment(memory.region(), 0, 5));
            pair.client().send(new Request(1).sendWithImmediate(11));
            pair.client().send(new Request(2).segment(memory.region(), 0, 6));
            pair.client().send(new Request(3).sendWithImmediate(-1).solicited());

            assertThat(pair.server().receives().awaitEvent(Duration.ofSeconds(20)))
                    .isTrue();
            List<Completion> received = pair.server().receives().next(4);
            assertThat(received).extracting(Completion::id).containsExactly(0L, 1L, 2L, 3L);
            assertThat(received).extracting(Completion::bytes).containsExactly(5L, 0L, 6L, 0L);
            assertThat(received).extracting(Completion::flags).containsExactly(0, 1, 0, 1);
            assertThat(received).extracting(Completion::key).containsExactly(0, 11, 0, -1);
            assertThat(received).extracting(Completion::operation).containsOnly(WorkCompletionOperation.RECEIVE);
            assertThat(pair.client().sends().next(4))
                    .extracting(Completion::operation)
                    .containsOnly(WorkCompletionOperation.SEND);
        }
    }

    @ParameterizedTest(name = "atomics return what was there, CRC {0}")
    @EnumSource(names = {"OFF", "REQUIRED"})
    void atomics(CrcPolicy crc) throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS.withCrc(crc))) {
            Memory target = counters(pair.device(), 40, -1);
            Memory sink = counters(pair.device(), 0, 0, 0, 0);
            Side client = pair.client();
            client.send(new Request(1).segment(sink.region(), 0, 8).fetchAndAdd(target.address(), target.key(), 2));
            client.send(new Request(2)
                    .segment(sink.region(), 8, 8)
                    .fetchAndAdd(target.address() + 8, target.key(), Long.MIN_VALUE));
            client.send(new Request(3)
                    .segment(sink.region(), 16, 8)
                    .compareAndSwap(target.address(), target.key(), 42, 0x1122334455667788L));
            client.send(new Request(4)
                    .segment(sink.region(), 24, 3)
                    .segment(sink.region(), 27, 5)
                    .compareAndSwap(target.address(), target.key(), 42, 7));

            List<Completion> done = client.sends().next(4);
            assertThat(done).extracting(Completion::status).containsOnly(WorkCompletionStatus.SUCCESS);
            assertThat(done)
                    .extracting(Completion::operation)
                    .containsExactly(
                            WorkCompletionOperation.FETCH_AND_ADD,
                            WorkCompletionOperation.FETCH_AND_ADD,
                            WorkCompletionOperation.COMPARE_AND_SWAP,
                            WorkCompletionOperation.COMPARE_AND_SWAP);
            assertThat(done).extracting(Completion::bytes).containsOnly(8L);
            assertThat(word(sink, 0)).isEqualTo(40);
            assertThat(word(sink, 1)).isEqualTo(-1);
            assertThat(word(sink, 2)).isEqualTo(42);
            assertThat(word(sink, 3)).isEqualTo(0x1122334455667788L);
            assertThat(word(target, 0)).isEqualTo(0x1122334455667788L);
            assertThat(word(target, 1)).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    @DisplayName("atomics of many connections, on several loops, lose nothing")
    void concurrent() throws Exception {
        int peers = 6;
        int each = 500;
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            Memory target = counters(pair.device(), 0);
            List<Pair> others = new ArrayList<>(List.of(pair));
            for (int i = 1; i < peers; i++) {
                others.add(Pair.connect(
                        pair.device(), pair.listener(), pair.listener().localAddress(), Side.Sizes.DEFAULTS));
            }
            List<Thread> threads = others.stream()
                    .map(other -> new Thread(() -> addMany(other, target, each)))
                    .toList();
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(word(target, 0)).isEqualTo(peers * each);
            for (Pair other : others.subList(1, peers)) {
                other.client().close();
                other.server().close();
            }
        }
    }

    private static void addMany(Pair pair, Memory target, int count) {
        try {
            Memory sink = counters(pair.device(), 0);
            for (int posted = 0; posted < count; posted += 50) {
                for (int i = 0; i < 50; i++) {
                    pair.client().send(new Request(i).segment(sink).fetchAndAdd(target.address(), target.key(), 1));
                }
                pair.client().sends().next(50);
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest(name = "reads and atomics share what was agreed, {0} at a time, and keep their order")
    @ValueSource(ints = {1, 2, 16})
    void shareDepth(int depth) throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS.withMaxDepth(depth))) {
            Memory target = counters(pair.device(), 0);
            Memory sink = counters(pair.device(), new long[40]);
            for (int i = 0; i < 40; i++) {
                Request request = new Request(i).segment(sink.region(), i * 8, 8);
                pair.client()
                        .send(
                                i % 2 == 0
                                        ? request.fetchAndAdd(target.address(), target.key(), 1)
                                        : request.read(target.address(), target.key()));
            }
            pair.client().sends().next(40);
            for (int i = 0; i < 40; i++) {
                // Atomics are done in their order; a read sees those before it, and may see later ones.
                if (i % 2 == 0) {
                    assertThat(word(sink, i)).isEqualTo(i / 2);
                } else {
                    assertThat(word(sink, i)).isBetween(i / 2 + 1L, 20L);
                }
            }
        }
    }

    @Test
    @DisplayName("both sides may ask at the same time")
    void bothAsk() throws Exception {
        for (int round = 0; round < 20; round++) {
            try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
                Memory target = counters(pair.device(), 0);
                Memory sink = counters(pair.device(), 0, 0);
                Thread other = new Thread(() -> addMany(pair, target, 50));
                other.start();
                pair.server()
                        .send(new Request(1)
                                .segment(sink.region(), 0, 8)
                                .fetchAndAdd(target.address(), target.key(), 1));
                assertThat(pair.server().sends().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
                other.join();
                assertThat(word(target, 0)).isEqualTo(51);
            }
        }
    }

    @Test
    @DisplayName("memory whose start is not aligned takes atomics where it is aligned")
    void unalignedStart() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(64).position(3).slice();
            Memory target = new Memory(
                    buffer, pair.device().domain().registerMemory(buffer.duplicate(), EnumSet.allOf(Access.class)));
            Memory sink = counters(pair.device(), 0);
            int aligned = -buffer.alignmentOffset(0, 8) & 7;

            assertThat((target.address() + aligned) % 8).isZero();
            pair.client().send(new Request(1).segment(sink).fetchAndAdd(target.address() + aligned, target.key(), 5));

            assertThat(pair.client().sends().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(buffer.order(ByteOrder.nativeOrder()).getLong(aligned)).isEqualTo(5);
        }
    }

    /** A device with one peer that the test plays. */
    private static final class Played implements AutoCloseable {
        private final TestDevice device;
        private final ProviderListener listener;
        private final RawPeer peer;
        private final Side side;

        Played(Settings settings, int depth) throws Exception {
            device = new TestDevice(settings.withCrc(CrcPolicy.OFF));
            listener = device.listen("127.0.0.1", 0);
            peer = RawPeer.connect(listener.localAddress());
            peer.write(RawPeer.request(0x1002, new byte[] {0, (byte) depth, 0, (byte) depth}));
            TestDevice.Asked asked = device.nextRequest();
            side = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS);
            side.endpoint().accept(asked.parameters());
            side.events().next("established");
            peer.readSetup();
            peer.send(RawPeer.write(0, 0, new byte[0]));
        }

        /** Takes the two frames by which a peer is asked. */
        void expectQuestion() throws Exception {
            assertThat(peer.read()).isEqualTo(OFFER);
            byte[] question = peer.read();
            assertThat(Arrays.copyOf(question, 18)).isEqualTo(Arrays.copyOf(RawPeer.readRequest(1, 0, 0, 0, 0, 0), 18));
            assertThat(ByteBuffer.wrap(question).getInt(30)).isZero();
        }

        void answerQuestion() throws Exception {
            peer.send(RawPeer.readResponse(-1, 0, new byte[0], true));
        }

        @Override
        public void close() throws IOException {
            peer.close();
            side.close();
            listener.close();
            device.close();
        }
    }

    @ParameterizedTest(name = "a peer that takes no {0} sees an empty write and an empty read, and never one of it")
    @ValueSource(strings = {"atomic", "immediate data", "write with immediate data"})
    void plainPeer(String what) throws Exception {
        try (Played played = new Played(Settings.DEFAULTS, 4)) {
            Memory memory = counters(played.device, 0);
            Request request = new Request(1);
            played.side.send(
                    switch (what) {
                        case "atomic" -> request.segment(memory).fetchAndAdd(0, 1, 1);
                        case "immediate data" -> request.sendWithImmediate(1);
                        default -> request.segment(memory).writeWithImmediate(0, 1, 1);
                    });
            played.expectQuestion();
            played.answerQuestion();

            Completion failed = played.side.sends().next();
            assertThat(failed.status()).isEqualTo(WorkCompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
            RawPeer.Terminate terminate = played.peer.readTerminate();
            assertThat(terminate.text()).isEqualTo("0/0/0");
            played.side.events().next("disconnected");
        }
    }

    @Test
    @DisplayName("a peer that serves no read cannot be asked, and gets nothing")
    void cannotBeAsked() throws Exception {
        try (Played played = new Played(Settings.DEFAULTS, 0)) {
            played.side.send(new Request(1).sendWithImmediate(1));

            assertThat(played.side.sends().next().status())
                    .isEqualTo(WorkCompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
            byte[] first = played.peer.read();
            assertThat(first[1] & 0x0F).isEqualTo(7);
        }
    }

    @Test
    @DisplayName("other work goes to a peer without a question")
    void noQuestion() throws Exception {
        try (Played played = new Played(Settings.DEFAULTS, 4)) {
            Memory memory = played.device.memory(8);
            played.side.send(new Request(1).segment(memory).write(3, 4));

            assertThat(played.peer.read()).isEqualTo(RawPeer.write(4, 3, new byte[8]));
        }
    }

    @Test
    @DisplayName("a peer that answers an offer gets the request that waited, and is not asked again")
    void answeringPeer() throws Exception {
        try (Played played = new Played(Settings.DEFAULTS, 4)) {
            Memory sink = counters(played.device, 0);
            played.side.send(new Request(1).segment(sink).fetchAndAdd(24, 5, 6));
            played.side.send(new Request(2).segment(sink).compareAndSwap(24, 5, 6, 7));
            played.expectQuestion();
            played.peer.send(ANSWER);

            assertThat(played.peer.read()).isEqualTo(RawPeer.atomicRequest(2, 0, 1, 5, 24, 6, 0, 0, -1));
            assertThat(played.peer.read()).isEqualTo(RawPeer.atomicRequest(3, 2, 2, 5, 24, 7, -1, 6, -1));
            played.answerQuestion();
            played.peer.send(RawPeer.atomicResponse(1, 1, 77));
            assertThat(played.side.sends().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(word(sink, 0)).isEqualTo(77);
            played.peer.send(RawPeer.atomicResponse(2, 2, 78));
            assertThat(played.side.sends().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(word(sink, 0)).isEqualTo(78);
        }
    }

    @Test
    @DisplayName("an offer is answered before the read behind it, by a side that may send already")
    void offerIsAnswered() throws Exception {
        try (Played played = new Played(Settings.DEFAULTS, 4)) {
            played.peer.send(OFFER);
            played.peer.send(RawPeer.readRequest(1, 3, 0, 0, 0, 0));

            assertThat(played.peer.read()).isEqualTo(ANSWER);
            assertThat(played.peer.read()).isEqualTo(RawPeer.readResponse(3, 0, new byte[0], true));

            // The peer has told what it takes with its offer.
            played.side.send(new Request(1).sendWithImmediate(0x01020304));
            assertThat(played.peer.read()).isEqualTo(RawPeer.immediate(1, false, 0x01020304));
        }
    }

    @Test
    @DisplayName("an answer to no offer means nothing, nor does another offset")
    void strayAnswer() throws Exception {
        try (Played played = new Played(Settings.DEFAULTS, 4)) {
            played.peer.send(ANSWER);
            played.peer.send(RawPeer.write(0x7306_0001, OFFER_OFFSET + 1, new byte[0]));
            played.peer.send(RawPeer.readRequest(1, 3, 0, 0, 0, 0));
            assertThat(played.peer.read()).isEqualTo(RawPeer.readResponse(3, 0, new byte[0], true));

            played.side.send(new Request(1).sendWithImmediate(1));
            played.expectQuestion();
        }
    }

    @Test
    @DisplayName("without the extensions their operations are unexpected, and an offer is a write of nothing")
    void switchedOff() throws Exception {
        for (byte[] request : List.of(
                RawPeer.immediate(1, false, 1),
                RawPeer.immediate(1, true, 1),
                RawPeer.fetchAdd(1, 1, 1, 0),
                RawPeer.atomicResponse(1, 1, 0))) {
            try (Played played = new Played(Settings.DEFAULTS.withoutExtensions(), 4)) {
                played.peer.send(OFFER);
                played.peer.send(RawPeer.readRequest(1, 3, 0, 0, 0, 0));
                assertThat(played.peer.read()).isEqualTo(RawPeer.readResponse(3, 0, new byte[0], true));
                played.side.receive(new Request(1));
                played.peer.send(request);
                assertThat(played.peer.readTerminate().text()).isEqualTo("0/2/6");
            }
        }
    }

    @Test
    @DisplayName("masked atomics follow the RFC bit by bit")
    void masked() throws Exception {
        try (Played played = new Played(Settings.DEFAULTS, 4)) {
            Random random = new Random(7306);
            for (int i = 1; i <= 300; i++) {
                long before = random.nextLong();
                long data = random.nextLong();
                long mask = random.nextLong() & random.nextLong();
                long expected = random.nextInt(2) == 0 ? random.nextLong() : before;
                long compared = random.nextInt(2) == 0 ? 0xFF00L : random.nextLong();
                Memory memory = counters(played.device, before);
                int code = i % 2 * 2;
                played.peer.send(RawPeer.atomicRequest(
                        i, code, i, memory.key(), memory.address(), data, mask, expected, compared));

                assertThat(played.peer.read()).isEqualTo(RawPeer.atomicResponse(i, i, before));
                assertThat(word(memory, 0))
                        .isEqualTo(
                                code == 0
                                        ? bitByBit(before, data, mask)
                                        : ((before ^ expected) & compared) == 0
                                                ? before & ~mask | data & mask
                                                : before);
                memory.region().close();
            }
        }
    }

    /** The sum as RFC 7306, section 5.1.1 defines it. */
    private static long bitByBit(long first, long second, long lastBits) {
        long sum = 0;
        int carry = 0;
        for (int bit = 0; bit < Long.SIZE; bit++) {
            int here = (int) (first >>> bit & 1) + (int) (second >>> bit & 1) + carry;
            sum |= (long) (here & 1) << bit;
            carry = (lastBits >>> bit & 1) == 1 ? 0 : here >> 1;
        }
        return sum;
    }

    @ParameterizedTest(name = "{0} gets a Terminate")
    @ValueSource(
            strings = {
                "another number 0/2/7",
                "out of sequence 1/2/3",
                "in the queue of reads 1/2/1",
                "in two segments 1/2/5",
                "too long 1/2/5",
                "too short 0/2/7",
                "a read's answer 0/2/6",
                "twice 1/2/2"
            })
    void hostileAnswers(String what) throws Exception {
        try (Played played = new Played(Settings.DEFAULTS, 4)) {
            Memory sink = counters(played.device, 0, 0);
            played.side.send(new Request(1).segment(sink.region(), 0, 8).fetchAndAdd(24, 5, 6));
            played.expectQuestion();
            played.peer.send(ANSWER);
            played.answerQuestion();
            assertThat(played.peer.read()[1]).isEqualTo((byte) 0x4A);
            byte[] content = new byte[12];
            content[3] = 1;
            String name = what.substring(0, what.lastIndexOf(' '));
            switch (name) {
                case "another number" -> played.peer.send(RawPeer.atomicResponse(1, 2, 0));
                case "out of sequence" -> played.peer.send(RawPeer.atomicResponse(2, 1, 0));
                case "in the queue of reads" -> played.peer.send(RawPeer.untagged(0x41, 0x4B, 0, 1, 1, 0, content));
                case "in two segments" -> played.peer.send(RawPeer.untagged(0x01, 0x4B, 0, 3, 1, 0, content));
                case "too long" ->
                    played.peer.send(RawPeer.untagged(0x41, 0x4B, 0, 3, 1, 0, Arrays.copyOf(content, 13)));
                case "too short" ->
                    played.peer.send(RawPeer.untagged(0x41, 0x4B, 0, 3, 1, 0, Arrays.copyOf(content, 11)));
                case "a read's answer" -> played.peer.send(RawPeer.readResponse(1, 0, new byte[8], true));
                default -> {
                    played.peer.send(RawPeer.atomicResponse(1, 1, 0));
                    played.peer.send(RawPeer.atomicResponse(2, 1, 0));
                }
            }
            assertThat(what).endsWith(" " + played.peer.readTerminate().text());
            assertThat(word(sink, 1)).isZero();
        }
    }

    @Test
    @DisplayName("a Terminate that shows an atomic fails that atomic")
    void blamed() throws Exception {
        try (Played played = new Played(Settings.DEFAULTS, 4)) {
            Memory sink = counters(played.device, 0);
            played.side.send(new Request(1).segment(sink).fetchAndAdd(24, 5, 6));
            played.side.send(new Request(2).segment(sink).fetchAndAdd(24, 5, 6));
            played.expectQuestion();
            played.peer.send(ANSWER);
            played.answerQuestion();
            played.peer.read();
            byte[] second = played.peer.read();
            byte[] content = new byte[4 + 2 + 18];
            ByteBuffer.wrap(content)
                    .putInt(0x0102_C000)
                    .putShort((short) second.length)
                    .put(second, 0, 18);
            played.peer.send(RawPeer.untagged(0x41, 0x47, 0, 2, 1, 0, content));

            assertThat(played.side.sends().next(2))
                    .extracting(Completion::status)
                    .containsExactly(WorkCompletionStatus.FLUSHED, WorkCompletionStatus.REMOTE_ACCESS_ERROR);
        }
    }
}
