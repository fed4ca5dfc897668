package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
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
import org.verbena.rdma.spi.ProviderListener;

/** How connections end, and what becomes of the work. */
class EndTest {
    private TestDevice device;
    private ProviderListener listener;
    private RawPeer peer;
    private Side side;

    @AfterEach
    void close() throws Exception {
        if (peer != null) {
            peer.close();
        }
        if (side != null) {
            side.close();
        }
        if (listener != null) {
            listener.close();
        }
        if (device != null) {
            device.close();
        }
    }

    private void establishRaw(Settings settings) throws Exception {
        device = new TestDevice(settings.withCrc(CrcPolicy.OFF));
        listener = device.listen("127.0.0.1", 0);
        peer = RawPeer.connect(listener.localAddress());
        peer.write(RawPeer.request(0x1002, new byte[] {0, 4, 0, 4}));
        TestDevice.Asked asked = device.nextRequest();
        side = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS);
        side.endpoint().accept(asked.parameters());
        side.events().next("established");
        peer.readSetup();
        peer.send(RawPeer.write(0, 0, new byte[0]));
    }

    @Test
    @DisplayName("disconnect carries out what was posted before, then ends both sides in good order")
    void disconnectSendsFirst() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS, "127.0.0.1", new Side.Sizes(64, 64, 1, 256, null))) {
            Memory source = pair.device().memory(500_000).fill(1);
            Memory sink = pair.device().memory(500_000);
            Memory target = pair.device().memory(500_000);
            pair.server().receive(new Request(1).segment(sink));
            pair.server().receive(new Request(2));
            pair.client().send(new Request(3).segment(target).read(source.address(), source.key()));
            pair.client().send(new Request(4).segment(source));
            pair.client().endpoint().disconnect();

            assertThat(pair.client().events().next("disconnected").error()).isEqualTo(RdmaError.SUCCESS);
            assertThat(pair.server().events().next("disconnected").error()).isEqualTo(RdmaError.SUCCESS);
            assertThat(pair.client().sends().next(2))
                    .extracting(Completion::status)
                    .containsOnly(WorkCompletionStatus.SUCCESS);
            assertThat(pair.server().receives().next(2))
                    .extracting(Completion::status)
                    .containsExactly(WorkCompletionStatus.SUCCESS, WorkCompletionStatus.FLUSHED);
            assertThat(sink.bytes()).isEqualTo(source.bytes());
            assertThat(target.bytes()).isEqualTo(source.bytes());
            assertThat(pair.client().queuePair().state()).isEqualTo(QueuePairState.ERROR);
            assertThat(pair.server().queuePair().state()).isEqualTo(QueuePairState.ERROR);
        }
    }

    @Test
    @DisplayName("both sides disconnecting at once end in good order")
    void simultaneous() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
                pair.client().endpoint().disconnect();
                pair.server().endpoint().disconnect();

                assertThat(pair.client().events().next("disconnected").error()).isEqualTo(RdmaError.SUCCESS);
                assertThat(pair.server().events().next("disconnected").error()).isEqualTo(RdmaError.SUCCESS);
                assertThat(pair.client().events().isEmpty()).isTrue();
                assertThat(pair.server().events().isEmpty()).isTrue();
            }
        }
    }

    @Test
    @DisplayName("after the peer's half close what was posted before is still sent to it")
    void halfCloseOfPeer() throws Exception {
        establishRaw(Settings.DEFAULTS);
        Memory source = device.memory(2_000_000).fill(1);
        side.send(new Request(1).segment(source));
        peer.socket().shutdownOutput();

        int received = 0;
        byte[] ulpdu;
        while ((ulpdu = peer.read()) != null) {
            received += ulpdu.length - 18;
        }
        assertThat(received).isEqualTo(2_000_000);
        assertThat(side.events().next("disconnected").error()).isEqualTo(RdmaError.SUCCESS);
        assertThat(side.sends().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
    }

    @Test
    @DisplayName("after this side's half close what the peer still sends is received")
    void halfCloseOfThisSide() throws Exception {
        establishRaw(Settings.DEFAULTS);
        side.receive(new Request(1));
        side.endpoint().disconnect();
        assertThat(peer.read()).isNull();
        peer.send(RawPeer.send(1, new byte[0]));

        assertThat(side.receives().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(side.events().isEmpty()).isTrue();
        peer.close();
        assertThat(side.events().next("disconnected").error()).isEqualTo(RdmaError.SUCCESS);
    }

    @Test
    @DisplayName("a peer that does not answer a disconnect is cut off in time")
    void peerDoesNotClose() throws Exception {
        establishRaw(Settings.DEFAULTS.withCloseTimeout(300));
        side.receive(new Request(1));
        side.endpoint().disconnect();

        assertThat(side.events().next("disconnected").error()).isEqualTo(RdmaError.TIMED_OUT);
        assertThat(side.receives().next().status()).isEqualTo(WorkCompletionStatus.FLUSHED);
    }

    @Test
    @DisplayName("a peer that stops reading does not hold up a disconnect beyond its time")
    void peerDoesNotRead() throws Exception {
        establishRaw(Settings.DEFAULTS.withCloseTimeout(300));
        Memory source = device.memory(32 << 20);
        side.send(new Request(1).segment(source));
        side.send(new Request(2).segment(source));
        side.endpoint().disconnect();

        assertThat(side.events().next("disconnected").error()).isEqualTo(RdmaError.TIMED_OUT);
        assertThat(side.sends().next(2)).extracting(Completion::status).containsOnly(WorkCompletionStatus.FLUSHED);
        source.region().close();
    }

    @Test
    @DisplayName("a peer that stops reading delays no other connection of the loop")
    void slowReaderDelaysNobody() throws Exception {
        establishRaw(Settings.DEFAULTS);
        Memory source = device.memory(32 << 20);
        side.send(new Request(1).segment(source));
        for (int i = 0; i < 4; i++) {
            Pair pair = Pair.connect(device, listener, listener.localAddress(), Side.Sizes.DEFAULTS);
            for (int round = 0; round < 100; round++) {
                pair.server().receive(new Request(1));
                pair.client().send(new Request(2));
                pair.server().receives().next();
                pair.client().sends().next();
            }
            pair.client().close();
            pair.server().close();
        }
    }

    @Test
    @DisplayName("a reset by the peer ends the connection and flushes in the order of posting")
    void reset() throws Exception {
        establishRaw(Settings.DEFAULTS);
        Memory memory = device.memory(10);
        for (int i = 0; i < 10; i++) {
            side.receive(new Request(i));
            side.send(new Request(i).segment(memory).read(0, 0));
        }
        peer.read();
        peer.socket().setSoLinger(true, 0);
        peer.close();

        assertThat(side.events().next("disconnected").error()).isEqualTo(RdmaError.CONNECTION_RESET);
        List<Long> order = LongStream.range(0, 10).boxed().toList();
        assertThat(side.sends().next(10)).extracting(Completion::id).containsExactlyElementsOf(order);
        assertThat(side.receives().next(10)).extracting(Completion::id).containsExactlyElementsOf(order);
    }

    @ParameterizedTest(name = "a peer that closes {0} bytes into a frame has broken off")
    @ValueSource(ints = {1, 2, 3, 4, 10, 19, 20, 21, 27, 28, 31})
    void brokenOff(int count) throws Exception {
        establishRaw(Settings.DEFAULTS);
        side.receive(new Request(1).segment(device.memory(8)));
        byte[] frame = peer.frame(RawPeer.send(1, new byte[8]));
        assertThat(frame).hasSize(32);
        peer.write(Arrays.copyOf(frame, count));
        peer.close();

        assertThat(side.events().next("disconnected").error()).isEqualTo(RdmaError.CONNECTION_RESET);
        assertThat(side.receives().next().status()).isEqualTo(WorkCompletionStatus.FLUSHED);
    }

    @Test
    @DisplayName("a failed queue pair flushes all work, ends the connection, and flushes what is posted later")
    void fail() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            for (int i = 0; i < 5; i++) {
                pair.server().receive(new Request(i));
            }
            pair.server().queuePair().fail();

            assertThat(pair.server().events().next("disconnected").error()).isEqualTo(RdmaError.CONNECTION_ABORTED);
            assertThat(pair.client().events().next("disconnected").error()).isNotNull();
            assertThat(pair.server().receives().next(5))
                    .extracting(Completion::status)
                    .containsOnly(WorkCompletionStatus.FLUSHED);
            for (int i = 0; i < 200; i++) {
                pair.server().send(new Request(10 + i));
                pair.server().receive(new Request(10 + i));
                assertThat(pair.server().sends().next().id()).isEqualTo(10 + i);
                assertThat(pair.server().receives().next().id()).isEqualTo(10 + i);
            }
        }
    }

    @Test
    @DisplayName("when close of a queue pair has returned its work is in the completion queues")
    void closeFlushes() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            for (int i = 0; i < 5; i++) {
                pair.server().receive(new Request(i));
            }
            pair.server().closeQueuePair();

            assertThat(pair.server().receives().poll())
                    .extracting(Completion::id)
                    .containsExactly(0L, 1L, 2L, 3L, 4L);
        }
    }

    @Test
    @DisplayName("a queue pair that was never connected flushes too")
    void failUnconnected() throws Exception {
        device = new TestDevice(Settings.DEFAULTS);
        listener = device.listen("127.0.0.1", 0);
        side = device.resolved(listener.localAddress(), Side.Sizes.DEFAULTS);
        side.receive(new Request(1));
        assertThatThrownBy(() -> side.send(new Request(2))).isInstanceOf(IllegalStateException.class);
        side.queuePair().fail();

        assertThat(side.receives().next().status()).isEqualTo(WorkCompletionStatus.FLUSHED);
        assertThatThrownBy(() -> side.endpoint().disconnect())
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.NOT_CONNECTED));
    }

    @Test
    @DisplayName("a send that finds no receive ends the connection on both sides")
    void noReceive() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            pair.client().send(new Request(1));

            assertThat(pair.server().events().next("disconnected").error()).isEqualTo(RdmaError.PROTOCOL);
            assertThat(pair.client().events().next("disconnected").error()).isEqualTo(RdmaError.CONNECTION_RESET);
        }
    }

    @Test
    @DisplayName("a read of memory that may not be read fails with REMOTE_ACCESS_ERROR, what follows is flushed")
    void readWithoutRight() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            Memory memory = pair.device().memory(100);
            pair.client().send(new Request(1).segment(memory).read(memory.address(), memory.key() + 1));
            pair.client().send(new Request(2).segment(memory).read(memory.address(), memory.key()));

            assertThat(pair.client().sends().next(2))
                    .extracting(Completion::status)
                    .containsExactly(WorkCompletionStatus.REMOTE_ACCESS_ERROR, WorkCompletionStatus.FLUSHED);
            assertThat(pair.client().events().next("disconnected").error()).isEqualTo(RdmaError.CONNECTION_RESET);
        }
    }

    @Test
    @DisplayName("of several reads the one that the peer refuses is to blame")
    void secondRead() throws Exception {
        establishRaw(Settings.DEFAULTS);
        Memory memory = device.memory(100);
        for (int i = 0; i < 3; i++) {
            side.send(new Request(i).segment(memory).read(0, i));
            assertThat(peer.read()).isNotNull();
        }
        byte[] content = new byte[4 + 2 + 46];
        ByteBuffer.wrap(content).putInt(0x0101_E000).putShort((short) 46).put(RawPeer.readRequest(2, 0, 0, 100, 1, 0));
        peer.send(RawPeer.untagged(0x41, 0x47, 0, 2, 1, 0, content));

        assertThat(side.sends().next(3))
                .extracting(Completion::status)
                .containsExactly(
                        WorkCompletionStatus.FLUSHED,
                        WorkCompletionStatus.REMOTE_ACCESS_ERROR,
                        WorkCompletionStatus.FLUSHED);
    }

    @ParameterizedTest(
            name = "a write that is still going out when the peer refuses it with {0} gets REMOTE_ACCESS_ERROR")
    @ValueSource(ints = {0x1100_C000, 0x1100_0300})
    void refusedWrite(int control) throws Exception {
        establishRaw(Settings.DEFAULTS);
        Memory memory = device.memory(32 << 20);
        side.send(new Request(1).segment(memory).write(5, 6));
        byte[] first = peer.read();
        byte[] content = new byte[4 + 2 + 14];
        ByteBuffer.wrap(content).putInt(control).putShort((short) first.length).put(first, 0, 14);
        peer.send(RawPeer.untagged(0x41, 0x47, 0, 2, 1, 0, content));

        Completion failed = side.sends().next();
        assertThat(failed.status()).isEqualTo(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
        assertThat(failed.vendor()).isEqualTo(0x1100);
        side.events().next("disconnected");
        memory.region().close();
    }

    @Test
    @DisplayName("an overflown completion queue fails its queue pairs, and says so when what it holds is read")
    void overflow() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS, "127.0.0.1", new Side.Sizes(64, 64, 1, 4, null))) {
            Memory memory = pair.device().memory(8);
            for (int i = 0; i < 10; i++) {
                pair.client().send(new Request(i).segment(memory).write(memory.address(), memory.key()));
            }

            assertThat(pair.client().events().next("disconnected").error()).isEqualTo(RdmaError.CONNECTION_ABORTED);
            assertThat(pair.client().sends().poll()).extracting(Completion::id).containsExactly(0L, 1L, 2L, 3L);
            assertThatThrownBy(() -> pair.client().sends().poll()).isInstanceOf(RdmaException.class);
        }
    }
}
