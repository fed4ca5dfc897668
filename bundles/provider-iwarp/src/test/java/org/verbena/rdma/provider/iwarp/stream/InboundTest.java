package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.peer.Completion;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.RawPeer;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.wire.TerminateCode;

/** TCP cuts the stream wherever it likes, and networks change bytes. */
class InboundTest {
    private static byte[] pattern(int seed, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = Memory.pattern(seed, i);
        }
        return bytes;
    }

    /** A short session of all kinds of frames, and what has to come of it. */
    private static final class Session {
        private static final int READ_STAG = 77;

        private final InboundFixture fixture;
        private final Memory target;
        private final Memory received;
        private final Memory read;
        private final byte[] bytes;
        private final int large;

        Session(InboundFixture fixture, int large) throws Exception {
            this.fixture = fixture;
            this.large = large;
            target = fixture.memory(large + 20);
            received = fixture.memory(200);
            read = fixture.memory(60);
            fixture.receive(new Request(1).segment(received.region(), 3, 50).segment(received.region(), 100, 50));
            fixture.receive(new Request(2));
            fixture.read(new Request(3).segment(read.region(), 4, 33).read(0, 0), READ_STAG);
            bytes = fixture.frames(
                    RawPeer.write(0, 0, new byte[0]),
                    RawPeer.untagged(0x01, 0x43, 0, 0, 1, 0, pattern(1, 61)),
                    RawPeer.write(target.key(), target.address() + 7, pattern(2, large)),
                    RawPeer.untagged(0x41, 0x43, 0, 0, 1, 61, Arrays.copyOfRange(pattern(1, 100), 61, 98)),
                    RawPeer.readRequest(1, 8, 9, 5, target.key(), target.address()),
                    RawPeer.readResponse(READ_STAG, 0, pattern(3, 13), false),
                    RawPeer.readResponse(READ_STAG, 13, Arrays.copyOfRange(pattern(3, 33), 13, 33), true),
                    RawPeer.untagged(0x41, 0x45, 0, 0, 2, 0, new byte[0]));
        }

        void check() throws Exception {
            List<Completion> completions = fixture.poll();
            assertThat(completions).extracting(Completion::id).containsExactly(1L, 3L, 2L);
            assertThat(completions)
                    .extracting(Completion::operation)
                    .containsExactly(
                            WorkCompletionOperation.RECEIVE,
                            WorkCompletionOperation.READ,
                            WorkCompletionOperation.RECEIVE);
            assertThat(completions).extracting(Completion::status).containsOnly(WorkCompletionStatus.SUCCESS);
            assertThat(completions).extracting(Completion::bytes).containsExactly(98L, 33L, 0L);
            assertThat(target.bytes(0, 7)).containsOnly(0);
            assertThat(target.bytes(7, large)).isEqualTo(pattern(2, large));
            assertThat(target.bytes(7 + large, 13)).containsOnly(0);
            assertThat(received.bytes(0, 3)).containsOnly(0);
            assertThat(received.bytes(3, 50)).isEqualTo(pattern(1, 50));
            assertThat(received.bytes(53, 47)).containsOnly(0);
            assertThat(received.bytes(100, 48)).isEqualTo(Arrays.copyOfRange(pattern(1, 98), 50, 98));
            assertThat(received.bytes(148, 52)).containsOnly(0);
            assertThat(read.bytes(4, 33)).isEqualTo(pattern(3, 33));
            assertThat(read.bytes(37, 23)).containsOnly(0);
            assertThat(fixture.responses().isEmpty()).isFalse();
            assertThat(fixture.responses().sinkStag()).isEqualTo(8);
            assertThat(fixture.inbound().isInsideFrame()).isFalse();
        }
    }

    @ParameterizedTest(name = "a session cut in two at every byte arrives whole, CRC {0}")
    @ValueSource(booleans = {false, true})
    void cutInTwo(boolean crc) throws Exception {
        int length;
        try (InboundFixture fixture = new InboundFixture(crc)) {
            length = new Session(fixture, 6_000).bytes.length;
        }
        for (int cut = 0; cut <= length; cut += cut > 300 && cut < length - 300 ? 37 : 1) {
            try (InboundFixture fixture = new InboundFixture(crc)) {
                Session session = new Session(fixture, 6_000);
                ScriptedChannel channel = new ScriptedChannel(session.bytes);
                channel.make(cut);
                fixture.drain(channel);
                channel.make(length);
                assertThat(fixture.drain(channel)).isEqualTo(Inbound.Progress.IDLE);
                session.check();
            }
        }
    }

    @ParameterizedTest(name = "a session in pieces of {0} bytes arrives whole")
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 13, 19, 20, 21, 31, 64, 100, 1000, 4096, 5000, 70_000})
    void pieces(int piece) throws Exception {
        for (boolean crc : new boolean[] {false, true}) {
            for (int large : new int[] {0, 1, 4095, 4096, 4097, 9_000, 65_000}) {
                try (InboundFixture fixture = new InboundFixture(crc)) {
                    Session session = new Session(fixture, large);
                    ScriptedChannel channel = new ScriptedChannel(session.bytes);
                    while (!channel.isExhausted()) {
                        channel.make(piece);
                        fixture.drain(channel);
                    }
                    session.check();
                }
            }
        }
    }

    @ParameterizedTest(name = "a session that ends at every byte has broken off inside of a frame, CRC {0}")
    @ValueSource(booleans = {false, true})
    void ends(boolean crc) throws Exception {
        for (int end = 0; end < 300; end++) {
            try (InboundFixture fixture = new InboundFixture(crc)) {
                Memory memory = fixture.memory(400);
                byte[] bytes = fixture.frames(
                        RawPeer.write(memory.key(), memory.address(), new byte[150]),
                        RawPeer.write(memory.key(), memory.address(), new byte[150]));
                ScriptedChannel channel = new ScriptedChannel(bytes);
                channel.make(end);
                channel.end();
                if (end > 0) {
                    assertThat(fixture.drain(channel)).isEqualTo(Inbound.Progress.IDLE);
                }
                boolean betweenFrames = end % 172 == 0;
                assertThat(bytes).hasSize(344);
                assertThat(fixture.drain(channel))
                        .as("at %d", end)
                        .isEqualTo(betweenFrames ? Inbound.Progress.END : Inbound.Progress.BROKEN);
            }
        }
    }

    @Test
    @DisplayName("with CRC a frame changed in any bit is found out, and none of its bytes reaches memory")
    void everyBit() throws Exception {
        for (int bit = 0; bit < 8 * 72; bit++) {
            try (InboundFixture fixture = new InboundFixture(true)) {
                Memory memory = fixture.memory(200);
                byte[] bytes = fixture.frames(RawPeer.write(memory.key(), memory.address() + 10, pattern(1, 51)));
                assertThat(bytes).hasSize(72);
                bytes[bit / 8] ^= (byte) (1 << bit % 8);
                // More of the stream follows, so that a frame that has become longer gets its bytes.
                ScriptedChannel channel = new ScriptedChannel(Arrays.copyOf(bytes, 70_000));
                channel.make(70_000);

                assertThatThrownBy(() -> fixture.drain(channel))
                        .isInstanceOfSatisfying(
                                StreamFault.class, e -> assertThat(e.code()).isEqualTo(TerminateCode.MPA_CRC));
                assertThat(memory.bytes()).containsOnly(0);
            }
        }
    }

    @Test
    @DisplayName("random changes of a session without CRC reach nothing but the memory that the peer may write")
    void randomChanges() throws Exception {
        Random random = new Random(42);
        for (int round = 0; round < 3_000; round++) {
            try (InboundFixture fixture = new InboundFixture(false)) {
                Memory guarded = fixture.memory(1_000);
                Session session = new Session(fixture, 300);
                byte[] bytes = session.bytes;
                for (int i = random.nextInt(4); i >= 0; i--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
                ScriptedChannel channel = new ScriptedChannel(bytes);
                try {
                    while (!channel.isExhausted()) {
                        channel.make(1 + random.nextInt(100));
                        fixture.drain(channel);
                    }
                } catch (StreamFault | LocalFault | PeerTerminated e) {
                    // As it should be. Anything else fails the test.
                }
                assertThat(guarded.bytes()).containsOnly(0);
                assertThat(session.received.bytes(0, 3)).containsOnly(0);
                assertThat(session.received.bytes(53, 47)).containsOnly(0);
                assertThat(session.received.bytes(150, 50)).containsOnly(0);
                assertThat(session.read.bytes(0, 4)).containsOnly(0);
                assertThat(session.read.bytes(37, 23)).containsOnly(0);
            }
        }
    }

    @ParameterizedTest(name = "C19: memory closed in the middle of a frame is not touched any more, CRC {0}")
    @ValueSource(booleans = {false, true})
    void closedInFrame(boolean crc) throws Exception {
        for (int large : new int[] {100, 10_000}) {
            for (int cut : new int[] {20, 50, 99}) {
                try (InboundFixture fixture = new InboundFixture(crc)) {
                    Memory memory = fixture.memory(large);
                    byte[] bytes = fixture.frames(RawPeer.write(memory.key(), memory.address(), pattern(1, large)));
                    ScriptedChannel channel = new ScriptedChannel(bytes);
                    channel.make(cut);
                    fixture.drain(channel);
                    memory.region().close();
                    byte[] before = memory.bytes();
                    channel.make(bytes.length);

                    assertThatThrownBy(() -> fixture.drain(channel))
                            .isInstanceOfSatisfying(StreamFault.class, e -> assertThat(e.code())
                                    .isEqualTo(TerminateCode.TAGGED_INVALID_STAG));
                    assertThat(memory.bytes()).isEqualTo(before);
                }
            }
        }
    }

    @Test
    @DisplayName("C19: a receive whose memory is closed ends with LOCAL_PROTECTION_ERROR")
    void closedReceive() throws Exception {
        for (int cut : new int[] {0, 30, 60}) {
            try (InboundFixture fixture = new InboundFixture(false)) {
                Memory memory = fixture.memory(100);
                fixture.receive(new Request(1).segment(memory));
                byte[] bytes = fixture.frames(RawPeer.send(1, pattern(1, 100)));
                ScriptedChannel channel = new ScriptedChannel(bytes);
                channel.make(cut);
                fixture.drain(channel);
                memory.region().close();
                byte[] before = memory.bytes();
                channel.make(bytes.length);

                assertThatThrownBy(() -> fixture.drain(channel)).isInstanceOf(LocalFault.class);
                assertThat(fixture.poll())
                        .extracting(Completion::status)
                        .containsExactly(WorkCompletionStatus.LOCAL_PROTECTION_ERROR);
                assertThat(memory.bytes()).isEqualTo(before);
            }
        }
    }
}
