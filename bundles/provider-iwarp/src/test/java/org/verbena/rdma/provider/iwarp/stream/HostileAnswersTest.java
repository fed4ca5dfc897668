package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.provider.iwarp.peer.RawPeer.readResponse;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.peer.Completion;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.RawPeer;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;
import org.verbena.rdma.provider.iwarp.peer.TestDevice;
import org.verbena.rdma.spi.ProviderListener;

/** A peer that was asked for data answers with something else. */
class HostileAnswersTest {
    private TestDevice device;
    private ProviderListener listener;
    private RawPeer peer;
    private Side side;
    private Memory sink;

    /** What the peer was asked for. */
    private int sinkStag;

    private long sinkOffset;

    @BeforeEach
    void ask() throws Exception {
        device = new TestDevice(Settings.DEFAULTS.withCrc(CrcPolicy.OFF));
        listener = device.listen("127.0.0.1", 0);
        peer = RawPeer.connect(listener.localAddress());
        peer.write(RawPeer.request(0x1002, new byte[] {0, 4, 0, 4}));
        TestDevice.Asked asked = device.nextRequest();
        side = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS);
        side.endpoint().accept(asked.parameters());
        side.events().next("established");
        peer.readSetup();
        sink = device.memory(200);
        side.send(new Request(1).segment(sink.region(), 50, 100).read(0x1122334455667788L, 0x99AABBCC));
        // The accepting side may not send before the first frame of the other.
        peer.send(RawPeer.write(0, 0, new byte[0]));
        ByteBuffer request = ByteBuffer.wrap(peer.read());
        assertThat(request.getShort(0)).isEqualTo((short) 0x4141);
        assertThat(request.getInt(30)).isEqualTo(100);
        assertThat(request.getInt(34)).isEqualTo(0x99AABBCC);
        assertThat(request.getLong(38)).isEqualTo(0x1122334455667788L);
        sinkStag = request.getInt(18);
        sinkOffset = request.getLong(22);
    }

    @AfterEach
    void close() throws Exception {
        peer.close();
        side.close();
        listener.close();
        device.close();
    }

    private record Case(String what, String terminate, List<Answer> answers) {
        static Arguments of(String what, String terminate, Answer... answers) {
            return Arguments.of(new Case(what, terminate, List.of(answers)));
        }

        @Override
        public String toString() {
            return what + " gets Terminate " + terminate;
        }
    }

    private record Answer(int stagChange, long offsetChange, int bytes, boolean last) {}

    static Stream<Arguments> cases() {
        return Stream.of(
                Case.of("an answer with another STag", "1/1/0", new Answer(1, 0, 100, true)),
                Case.of("an answer to another offset", "1/1/1", new Answer(0, 1, 99, true)),
                Case.of("an answer with a gap", "1/1/1", new Answer(0, 0, 50, false), new Answer(0, 51, 49, true)),
                Case.of("an answer that steps back", "1/1/1", new Answer(0, 0, 50, false), new Answer(0, 0, 50, true)),
                Case.of("one byte too much", "1/1/1", new Answer(0, 0, 101, true)),
                Case.of("far too much", "1/1/1", new Answer(0, 0, 60_000, true)),
                Case.of(
                        "one byte too much in the end",
                        "1/1/1",
                        new Answer(0, 0, 60, false),
                        new Answer(0, 60, 41, true)),
                Case.of("an answer that ends too early", "0/2/7", new Answer(0, 0, 99, true)),
                Case.of(
                        "an answer after the answer",
                        "0/2/6",
                        new Answer(0, 0, 100, true),
                        new Answer(0, 0, 100, true)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void isTerminated(Case hostile) throws Exception {
        for (Answer answer : hostile.answers()) {
            peer.send(readResponse(
                    sinkStag + answer.stagChange(),
                    sinkOffset + answer.offsetChange(),
                    new byte[answer.bytes()],
                    answer.last()));
        }

        assertThat(peer.readTerminate().text()).isEqualTo(hostile.terminate());
        assertThat(side.events().next("disconnected").error()).isEqualTo(RdmaError.PROTOCOL);
        assertThat(sink.bytes(150, 50)).containsOnly(0);
        assertThat(sink.bytes(0, 50)).containsOnly(0);
    }

    @Test
    @DisplayName("an answer in many segments, empty ones among them, is taken")
    void manySegments() throws Exception {
        byte[] payload = new byte[100];
        for (int i = 0; i < 100; i++) {
            payload[i] = (byte) (i + 1);
        }
        for (int i = 0; i < 100; i += 10) {
            peer.send(readResponse(sinkStag, sinkOffset + i, Arrays.copyOfRange(payload, i, i + 10), false));
            peer.send(readResponse(sinkStag, sinkOffset + i + 10, new byte[0], i == 90));
        }

        Completion done = side.sends().next();
        assertThat(done.status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(done.bytes()).isEqualTo(100);
        assertThat(sink.bytes(50, 100)).isEqualTo(payload);
    }

    @Test
    @DisplayName("a Terminate that shows a read request fails that read with an access error, and its code")
    void terminateOfRead() throws Exception {
        // Protection error, access rights, with length, DDP header and RDMA header.
        byte[] content = new byte[4 + 2 + 46];
        ByteBuffer.wrap(content)
                .putInt(0x0102_E000)
                .putShort((short) 46)
                .put((byte) 0x41)
                .put((byte) 0x41);
        ByteBuffer.wrap(content).putInt(6 + 6, 1).putInt(6 + 10, 1);
        peer.send(RawPeer.untagged(0x41, 0x47, 0, 2, 1, 0, content));

        Completion failed = side.sends().next();
        assertThat(failed.status()).isEqualTo(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
        assertThat(failed.vendor()).isEqualTo(0x0102);
        assertThat(side.events().next("disconnected").error()).isEqualTo(RdmaError.CONNECTION_RESET);
    }

    @ParameterizedTest(name = "Terminate {0} without a segment fails the read with {1}")
    @CsvSource({
        "0x0000,FLUSHED",
        "0x1202,FLUSHED",
        "0x0100,REMOTE_ACCESS_ERROR",
        "0x0101,REMOTE_ACCESS_ERROR",
        "0x0102,REMOTE_ACCESS_ERROR",
        "0x0103,REMOTE_ACCESS_ERROR",
        "0x0104,REMOTE_ACCESS_ERROR",
        "0x01FF,REMOTE_ACCESS_ERROR",
        "0x1100,REMOTE_ACCESS_ERROR"
    })
    void terminateWithoutSegment(int code, WorkCompletionStatus status) throws Exception {
        side.receive(new Request(2));
        peer.send(RawPeer.untagged(
                0x41,
                0x47,
                0,
                2,
                1,
                0,
                ByteBuffer.allocate(4).putInt(code << 16).array()));

        assertThat(side.events().next("disconnected").error()).isEqualTo(RdmaError.CONNECTION_RESET);
        Completion failed = side.sends().next();
        assertThat(failed.status()).isEqualTo(status);
        // Where nothing tells that a read is to blame, none is.
        assertThat(failed.vendor()).isEqualTo(status == WorkCompletionStatus.FLUSHED ? 0 : code);
        assertThat(side.receives().next().status()).isEqualTo(WorkCompletionStatus.FLUSHED);
    }
}
