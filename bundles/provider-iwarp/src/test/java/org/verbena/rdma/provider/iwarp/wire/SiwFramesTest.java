package org.verbena.rdma.provider.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The layouts against bytes that Linux 6.1 siw has sent: rping to rping, captured in the kernel guest. Each frame is read
 * field by field, and written again from its fields.
 */
class SiwFramesTest {
    private static final String SEND =
            "00224143 00000000 00000000 00000001 00000000" + "0000562cbd3f4b90 bbda4d00 00000040 00000000";
    private static final String READ_REQUEST = "002e4141 00000000 00000001 00000001 00000000"
            + "9922bc00 000055ab158db560 00000040 bbda4d00 0000562cbd3f4b90 00000000";
    private static final String READ_RESPONSE_START = "004ec142 9922bc00 000055ab158db560";
    private static final String WRITE_START = "004ec140 aaa6ea00 0000562cbd3f1560";
    private static final String READY_TO_RECEIVE = "000ec140 00000001 0000000000000000 00000000";
    private static final String SEND_WITH_CRC =
            "00224143 00000000 00000000 00000001 00000000" + "00005594 03cebb90 39059100 00000040 b3b0fcdb";
    private static final String TERMINATE =
            "00264147 00000000 00000002 00000001 00000000" + "11000300 0001 c140 d9e4ceff 00007f8c98f80010 91ee46ec";

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    @Test
    @DisplayName("a Send of siw")
    void send() {
        ByteBuffer frame = bytes(SEND);

        assertThat(Fpdu.ulpduLength(frame, 0)).isEqualTo(34);
        assertThat(Fpdu.padding(34)).isZero();
        assertThat(Fpdu.bytes(34)).isEqualTo(frame.capacity());
        assertThat(Control.isTagged(frame, 0)).isFalse();
        assertThat(Control.isLast(frame, 0)).isTrue();
        assertThat(Control.isDdpVersionValid(frame, 0)).isTrue();
        assertThat(Control.isRdmapVersionValid(frame, 0)).isTrue();
        assertThat(Control.opcode(frame, 0)).isEqualTo(Opcode.SEND);
        assertThat(UntaggedHeader.queueNumber(frame, 0)).isEqualTo(UntaggedHeader.SEND_QUEUE);
        assertThat(UntaggedHeader.messageSequenceNumber(frame, 0)).isEqualTo(1);
        assertThat(UntaggedHeader.messageOffset(frame, 0)).isZero();
        assertThat(frame.getLong(UntaggedHeader.BYTES)).isEqualTo(0x562cbd3f4b90L);

        ByteBuffer written = ByteBuffer.allocate(UntaggedHeader.BYTES);
        UntaggedHeader.put(written, 0, Opcode.SEND, true, 16, 0, 1, 0);
        assertThat(written).isEqualTo(frame.slice(0, UntaggedHeader.BYTES));
    }

    @Test
    @DisplayName("the Terminate of siw for a write to an unknown STag, with its own order of the header control bits")
    void terminate() {
        ByteBuffer frame = bytes(TERMINATE);

        assertThat(Fpdu.bytes(Fpdu.ulpduLength(frame, 0))).isEqualTo(frame.capacity());
        assertThat(Control.opcode(frame, 0)).isEqualTo(Opcode.TERMINATE);
        assertThat(UntaggedHeader.queueNumber(frame, 0)).isEqualTo(UntaggedHeader.TERMINATE_QUEUE);
        assertThat(UntaggedHeader.messageSequenceNumber(frame, 0)).isEqualTo(1);
        int control = TerminateHeader.control(frame, 0);
        assertThat(TerminateCode.of(TerminateHeader.code(control))).isEqualTo(TerminateCode.TAGGED_INVALID_STAG);
        assertThat(TerminateHeader.headerBits(control))
                .isEqualTo(TerminateHeader.LENGTH_PRESENT | TerminateHeader.DDP_HEADER_PRESENT);
        int shown = TerminateHeader.DDP_HEADER - Fpdu.LENGTH_BYTES;
        assertThat(Control.opcode(frame, shown)).isEqualTo(Opcode.WRITE);
        assertThat(TaggedHeader.stag(frame, shown)).isEqualTo(0xd9e4ceff);
        assertThat(TaggedHeader.taggedOffset(frame, shown)).isEqualTo(0x7f8c98f80010L);
        CRC32C crc = new CRC32C();
        crc.update(frame.array(), 0, frame.capacity() - Fpdu.CRC_BYTES);
        assertThat(Fpdu.crc(frame, frame.capacity() - Fpdu.CRC_BYTES)).isEqualTo((int) crc.getValue());
    }

    @Test
    @DisplayName("an RDMA Read Request of siw")
    void readRequest() {
        ByteBuffer frame = bytes(READ_REQUEST);

        assertThat(Fpdu.bytes(Fpdu.ulpduLength(frame, 0))).isEqualTo(frame.capacity());
        assertThat(Control.opcode(frame, 0)).isEqualTo(Opcode.READ_REQUEST);
        assertThat(UntaggedHeader.queueNumber(frame, 0)).isEqualTo(UntaggedHeader.READ_REQUEST_QUEUE);
        assertThat(ReadRequestHeader.sinkStag(frame, 0)).isEqualTo(0x9922bc00);
        assertThat(ReadRequestHeader.sinkTaggedOffset(frame, 0)).isEqualTo(0x55ab158db560L);
        assertThat(ReadRequestHeader.size(frame, 0)).isEqualTo(64);
        assertThat(ReadRequestHeader.sourceStag(frame, 0)).isEqualTo(0xbbda4d00);
        assertThat(ReadRequestHeader.sourceTaggedOffset(frame, 0)).isEqualTo(0x562cbd3f4b90L);

        ByteBuffer written = ByteBuffer.allocate(ReadRequestHeader.END);
        ReadRequestHeader.put(written, 0, 1, 0x9922bc00, 0x55ab158db560L, 64, 0xbbda4d00, 0x562cbd3f4b90L);
        assertThat(written).isEqualTo(frame.slice(0, ReadRequestHeader.END));
    }

    @Test
    @DisplayName("an RDMA Read Response and an RDMA Write of siw")
    void tagged() {
        ByteBuffer response = bytes(READ_RESPONSE_START);
        ByteBuffer write = bytes(WRITE_START);

        assertThat(Control.isTagged(response, 0)).isTrue();
        assertThat(Control.opcode(response, 0)).isEqualTo(Opcode.READ_RESPONSE);
        assertThat(TaggedHeader.stag(response, 0)).isEqualTo(0x9922bc00);
        assertThat(TaggedHeader.taggedOffset(response, 0)).isEqualTo(0x55ab158db560L);
        assertThat(Control.opcode(write, 0)).isEqualTo(Opcode.WRITE);

        ByteBuffer written = ByteBuffer.allocate(TaggedHeader.BYTES);
        TaggedHeader.put(written, 0, Opcode.READ_RESPONSE, true, 64, 0x9922bc00, 0x55ab158db560L);
        assertThat(written).isEqualTo(response);
        TaggedHeader.put(written, 0, Opcode.WRITE, true, 64, 0xaaa6ea00, 0x562cbd3f1560L);
        assertThat(written).isEqualTo(write);
    }

    @Test
    @DisplayName("the zero-length write by which siw tells that it is ready")
    void readyToReceive() {
        ByteBuffer frame = bytes(READY_TO_RECEIVE);

        assertThat(Fpdu.bytes(Fpdu.ulpduLength(frame, 0))).isEqualTo(frame.capacity());
        assertThat(Control.opcode(frame, 0)).isEqualTo(Opcode.WRITE);
        assertThat(Control.isLast(frame, 0)).isTrue();
    }

    @Test
    @DisplayName("siw's CRC32c, least significant byte first, covers all from the length field on")
    void crc() {
        ByteBuffer frame = bytes(SEND_WITH_CRC);
        CRC32C crc = new CRC32C();
        crc.update(frame.slice(0, frame.capacity() - Fpdu.CRC_BYTES));

        assertThat(Fpdu.crc(frame, frame.capacity() - Fpdu.CRC_BYTES)).isEqualTo((int) crc.getValue());

        ByteBuffer written = ByteBuffer.allocate(Fpdu.CRC_BYTES);
        Fpdu.putCrc(written, 0, (int) crc.getValue());
        assertThat(written.getInt(0)).isEqualTo(0xb3b0fcdb);
    }

    @ParameterizedTest(name = "the set-up frame {0} of siw")
    @ValueSource(
            strings = {
                "4d504120494420526571204672616d65 1002 0004 0001 0001",
                "4d504120494420526571204672616d65 1002 0004 8001 c001",
                "4d504120494420526571204672616d65 5002 0004 0001 0001"
            })
    void request(String hex) {
        ByteBuffer frame = bytes(hex);

        assertThat(MpaSetupFrame.startsWithKey(frame, MpaSetupFrame.KEY_BYTES, true))
                .isTrue();
        assertThat(MpaSetupFrame.startsWithKey(frame, MpaSetupFrame.KEY_BYTES, false))
                .isFalse();
        assertThat(MpaSetupFrame.flags(frame) & MpaSetupFrame.REVISION_MASK).isEqualTo(2);
        assertThat(MpaSetupFrame.flags(frame) & MpaSetupFrame.ENHANCED).isNotZero();
        assertThat(MpaSetupFrame.flags(frame) & (MpaSetupFrame.MARKERS | MpaSetupFrame.REJECT))
                .isZero();
        assertThat(MpaSetupFrame.privateDataLength(frame)).isEqualTo(MpaSetupFrame.ENHANCED_BYTES);

        ByteBuffer written = ByteBuffer.allocate(MpaSetupFrame.BYTES);
        MpaSetupFrame.put(written, true, MpaSetupFrame.flags(frame), MpaSetupFrame.ENHANCED_BYTES);
        assertThat(written).isEqualTo(frame.slice(0, MpaSetupFrame.BYTES));
    }

    @Test
    @DisplayName("siw's peer-to-peer request offers write and read, its reply chooses write")
    void peerToPeerWords() {
        int first = 0x8001;
        int offered = 0xc001;
        int chosen = 0x8001;

        assertThat(first & MpaSetupFrame.PEER_TO_PEER).isNotZero();
        assertThat(first & MpaSetupFrame.RTR_SEND).isZero();
        assertThat(offered & MpaSetupFrame.RTR_WRITE).isNotZero();
        assertThat(offered & MpaSetupFrame.RTR_READ).isNotZero();
        assertThat(chosen & MpaSetupFrame.RTR_WRITE).isNotZero();
        assertThat(chosen & MpaSetupFrame.RTR_READ).isZero();
        assertThat(offered & MpaSetupFrame.DEPTH_MASK).isEqualTo(1);
    }
}
