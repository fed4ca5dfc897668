package org.verbena.rdma.provider.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The layouts against all that was captured of siw ({@code siw-frames.txt} tells how): read, and written again. */
class SiwCaptureTest {
    /** A frame of the capture. */
    private record Frame(String capture, int number, String sender, byte[] bytes) {
        @Override
        public String toString() {
            return capture + ", frame " + number + " of " + sender;
        }

        boolean isSetup() {
            return new String(bytes, 0, 4, StandardCharsets.US_ASCII).equals("MPA ");
        }

        boolean hasCrc() {
            return capture.startsWith("CRC");
        }
    }

    private static List<Frame> all() throws IOException {
        String text;
        try (InputStream resource = SiwCaptureTest.class.getResourceAsStream("siw-frames.txt")) {
            text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<Frame> frames = new ArrayList<>();
        String capture = "";
        int number = 0;
        for (String line : text.lines().toList()) {
            if (line.startsWith("[")) {
                capture = line.substring(1, line.length() - 1);
                number = 0;
            } else if (line.startsWith("C ") || line.startsWith("S ")) {
                frames.add(new Frame(
                        capture, number++, line.substring(0, 1), HexFormat.of().parseHex(line.substring(2))));
            }
        }
        return frames;
    }

    static List<Frame> setups() throws IOException {
        return all().stream().filter(Frame::isSetup).toList();
    }

    static List<Frame> frames() throws IOException {
        return all().stream().filter(frame -> !frame.isSetup()).toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("setups")
    void setUp(Frame frame) {
        ByteBuffer sent = ByteBuffer.wrap(frame.bytes());
        boolean request = frame.sender().equals("C");

        assertThat(MpaSetupFrame.startsWithKey(sent, MpaSetupFrame.KEY_BYTES, request))
                .isTrue();
        assertThat(MpaSetupFrame.BYTES + MpaSetupFrame.privateDataLength(sent)).isEqualTo(frame.bytes().length);
        ByteBuffer written = ByteBuffer.allocate(frame.bytes().length);
        MpaSetupFrame.put(written, request, MpaSetupFrame.flags(sent), MpaSetupFrame.privateDataLength(sent));
        written.put(MpaSetupFrame.BYTES, sent, MpaSetupFrame.BYTES, MpaSetupFrame.privateDataLength(sent));
        assertThat(written).isEqualTo(sent);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("frames")
    void isReadAndWrittenAgain(Frame frame) {
        ByteBuffer sent = ByteBuffer.wrap(frame.bytes());
        int ulpdu = Fpdu.ulpduLength(sent, 0);
        int opcode = Control.opcode(sent, 0);
        int header = Opcode.headerBytes(opcode);
        boolean last = Control.isLast(sent, 0);
        int end = Fpdu.bytes(ulpdu) - Fpdu.CRC_BYTES;

        assertThat(Fpdu.bytes(ulpdu)).isEqualTo(frame.bytes().length);
        assertThat(Control.isDdpVersionValid(sent, 0) && Control.isRdmapVersionValid(sent, 0))
                .isTrue();
        assertThat(Control.isTagged(sent, 0)).isEqualTo(Opcode.isTagged(opcode));
        ByteBuffer written = ByteBuffer.allocate(frame.bytes().length);
        int payload = Fpdu.LENGTH_BYTES + ulpdu - header;
        switch (opcode) {
            case Opcode.WRITE, Opcode.READ_RESPONSE ->
                TaggedHeader.put(
                        written,
                        0,
                        opcode,
                        last,
                        payload,
                        TaggedHeader.stag(sent, 0),
                        TaggedHeader.taggedOffset(sent, 0));
            case Opcode.READ_REQUEST ->
                ReadRequestHeader.put(
                        written,
                        0,
                        UntaggedHeader.messageSequenceNumber(sent, 0),
                        ReadRequestHeader.sinkStag(sent, 0),
                        ReadRequestHeader.sinkTaggedOffset(sent, 0),
                        ReadRequestHeader.size(sent, 0),
                        ReadRequestHeader.sourceStag(sent, 0),
                        ReadRequestHeader.sourceTaggedOffset(sent, 0));
            default ->
                UntaggedHeader.put(
                        written,
                        0,
                        opcode,
                        last,
                        payload,
                        UntaggedHeader.invalidateStag(sent, 0),
                        UntaggedHeader.messageSequenceNumber(sent, 0),
                        UntaggedHeader.messageOffset(sent, 0));
        }
        written.put(header, sent, header, payload);
        if (frame.hasCrc()) {
            CRC32C crc = new CRC32C();
            crc.update(frame.bytes(), 0, end);
            Fpdu.putCrc(written, end, (int) crc.getValue());
        }
        assertThat(written).isEqualTo(sent);
    }

    @Test
    @DisplayName("the capture has each kind of frame that rping makes, with and without CRC")
    void isComplete() throws Exception {
        assertThat(setups()).hasSize(6);
        assertThat(frames()).hasSize(48);
        assertThat(frames())
                .extracting(frame -> frame.bytes()[3] & 0x0F)
                .contains(Opcode.SEND, Opcode.READ_REQUEST, Opcode.READ_RESPONSE, Opcode.WRITE);
        assertThat(frames().stream().filter(Frame::hasCrc)).hasSize(16);
    }
}
