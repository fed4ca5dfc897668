package org.verbena.rdma.provider.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The layouts against bytes written out by hand from the figures of the RFCs. */
class LayoutTest {
    private static String hex(ByteBuffer buffer, int bytes) {
        byte[] copy = new byte[bytes];
        buffer.get(0, copy);
        return HexFormat.of().formatHex(copy);
    }

    @ParameterizedTest(name = "a ULPDU of {0} bytes has {1} bytes of padding in a frame of {2}")
    @CsvSource({"14,0,20", "15,3,24", "16,2,24", "17,1,24", "18,0,24", "34,0,40", "65535,3,65544", "65534,0,65540"})
    void padding(int ulpdu, int padding, int frame) {
        assertThat(Fpdu.padding(ulpdu)).isEqualTo(padding);
        assertThat(Fpdu.bytes(ulpdu)).isEqualTo(frame);
    }

    @ParameterizedTest(name = "opcode {0}: DDP control {1}, RDMAP control {2}, queue {3}")
    @CsvSource({
        "0,c1,40,",
        "1,41,41,1",
        "2,c1,42,",
        "3,41,43,0",
        "4,41,44,0",
        "5,41,45,0",
        "6,41,46,0",
        "7,41,47,2",
        "8,41,48,0",
        "9,41,49,0",
        "10,41,4a,1",
        "11,41,4b,3"
    })
    void control(int opcode, String ddp, String rdmap, Integer queue) {
        ByteBuffer frame = ByteBuffer.allocate(Control.END);
        Control.put(frame, 0, 14, opcode, true);

        assertThat(hex(frame, 4)).isEqualTo("000e" + ddp + rdmap);
        assertThat(Control.opcode(frame, 0)).isEqualTo(opcode);
        assertThat(Control.isTagged(frame, 0)).isEqualTo(Opcode.isTagged(opcode));
        if (queue != null) {
            assertThat(Opcode.queueNumber(opcode)).isEqualTo(queue);
        }
    }

    @Test
    @DisplayName("RFC 7306, figures 4 and 5: atomic requests")
    void atomicRequest() {
        ByteBuffer frame = ByteBuffer.allocate(AtomicRequestHeader.END);
        AtomicRequestHeader.putFetchAdd(frame, 0, 7, 0x21222324, 0x01020304, 0x1112131415161718L, 0x3132);

        String header = "0046" + "41" + "4a" + "00000000" + "00000001" + "00000007" + "00000000";
        assertThat(hex(frame, 72))
                .isEqualTo(header + "00000000" + "21222324" + "01020304" + "1112131415161718" + "0000000000003132"
                        + "0000000000000000" + "0000000000000000" + "ffffffffffffffff");

        AtomicRequestHeader.putCompareSwap(frame, 0, 7, 0x21222324, 0x01020304, 0x1112131415161718L, 0x41, 0x51);
        assertThat(hex(frame, 72))
                .isEqualTo(header + "00000002" + "21222324" + "01020304" + "1112131415161718" + "0000000000000051"
                        + "ffffffffffffffff" + "0000000000000041" + "ffffffffffffffff");
        assertThat(AtomicRequestHeader.operation(frame, 0)).isEqualTo(AtomicRequestHeader.COMPARE_SWAP);
        assertThat(AtomicRequestHeader.requestIdentifier(frame, 0)).isEqualTo(0x21222324);
        assertThat(AtomicRequestHeader.remoteStag(frame, 0)).isEqualTo(0x01020304);
        assertThat(AtomicRequestHeader.remoteTaggedOffset(frame, 0)).isEqualTo(0x1112131415161718L);
        assertThat(AtomicRequestHeader.addOrSwapData(frame, 0)).isEqualTo(0x51);
        assertThat(AtomicRequestHeader.addOrSwapMask(frame, 0)).isEqualTo(-1);
        assertThat(AtomicRequestHeader.compareData(frame, 0)).isEqualTo(0x41);
        assertThat(AtomicRequestHeader.compareMask(frame, 0)).isEqualTo(-1);
    }

    @Test
    @DisplayName("RFC 7306, figure 6: atomic response")
    void atomicResponse() {
        ByteBuffer frame = ByteBuffer.allocate(AtomicResponseHeader.END);
        AtomicResponseHeader.put(frame, 0, 7, 0x21222324, 0x1112131415161718L);

        assertThat(hex(frame, 32))
                .isEqualTo("001e" + "41" + "4b" + "00000000" + "00000003" + "00000007" + "00000000" + "21222324"
                        + "1112131415161718");
        assertThat(AtomicResponseHeader.requestIdentifier(frame, 0)).isEqualTo(0x21222324);
        assertThat(AtomicResponseHeader.originalValue(frame, 0)).isEqualTo(0x1112131415161718L);
    }

    @Test
    @DisplayName("RFC 7306, figure 7: immediate data, the 32 bits of verbs in front")
    void immediateData() {
        ByteBuffer frame = ByteBuffer.allocate(ImmediateDataHeader.END);
        ImmediateDataHeader.put(frame, 0, true, 7, 0x21222324);

        assertThat(hex(frame, 28))
                .isEqualTo("001a" + "41" + "49" + "00000000" + "00000000" + "00000007" + "00000000" + "21222324"
                        + "00000000");
        assertThat(ImmediateDataHeader.data(frame, 0)).isEqualTo(0x21222324);
    }

    @Test
    @DisplayName("the L bit is off in all segments but the last")
    void notLast() {
        ByteBuffer frame = ByteBuffer.allocate(Control.END);
        Control.put(frame, 0, 14, Opcode.WRITE, false);

        assertThat(hex(frame, 4)).isEqualTo("000e8140");
        assertThat(Control.isLast(frame, 0)).isFalse();
    }

    @Test
    @DisplayName("RFC 5041, figure 4: tagged header")
    void tagged() {
        ByteBuffer frame = ByteBuffer.allocate(TaggedHeader.BYTES);
        TaggedHeader.put(frame, 0, Opcode.WRITE, true, 0x10, 0x01020304, 0x1112131415161718L);

        assertThat(hex(frame, 16)).isEqualTo("001e" + "c1" + "40" + "01020304" + "1112131415161718");
    }

    @Test
    @DisplayName("RFC 5041, figure 6: untagged header, with the STag to invalidate of RFC 5040, figure 3")
    void untagged() {
        ByteBuffer frame = ByteBuffer.allocate(UntaggedHeader.BYTES);
        UntaggedHeader.put(frame, 0, Opcode.SEND_INVALIDATE, false, 2, 0x01020304, 0xFFFFFFFE, 0x80000001L);

        assertThat(hex(frame, 20)).isEqualTo("0014" + "01" + "44" + "01020304" + "00000000" + "fffffffe" + "80000001");
        assertThat(UntaggedHeader.messageOffset(frame, 0)).isEqualTo(0x80000001L);
    }

    @Test
    @DisplayName("RFC 5040, figure 5: read request")
    void readRequest() {
        ByteBuffer frame = ByteBuffer.allocate(ReadRequestHeader.END);
        ReadRequestHeader.put(frame, 0, 3, 0x0A0B0C0D, 0x1112131415161718L, 0xFFFFFFFFL, 0x01020304, 0x21222324L);

        assertThat(hex(frame, 48))
                .isEqualTo("002e" + "41" + "41" + "00000000" + "00000001" + "00000003" + "00000000" + "0a0b0c0d"
                        + "1112131415161718" + "ffffffff" + "01020304" + "0000000021222324");
        assertThat(ReadRequestHeader.size(frame, 0)).isEqualTo(0xFFFFFFFFL);
    }

    @Test
    @DisplayName("RFC 5040, figures 8 and 9: Terminate without a segment to blame")
    void bareTerminate() {
        ByteBuffer frame = ByteBuffer.allocate(64);
        int end = TerminateHeader.put(frame, 0, TerminateCode.MPA_CRC.value(), null, 0);

        assertThat(end).isEqualTo(24);
        assertThat(hex(frame, 24))
                .isEqualTo("0016" + "41" + "47" + "00000000" + "00000002" + "00000001" + "00000000" + "20020000");
    }

    @Test
    @DisplayName("RFC 5040, figures 8 and 9: Terminate with a tagged segment to blame")
    void terminateOfTagged() {
        ByteBuffer offending = ByteBuffer.allocate(16);
        TaggedHeader.put(offending, 0, Opcode.WRITE, true, 0x10, 0x01020304, 5);
        ByteBuffer frame = ByteBuffer.allocate(64);
        int end = TerminateHeader.put(frame, 0, TerminateCode.TAGGED_INVALID_STAG.value(), offending, 0);

        assertThat(end).isEqualTo(40);
        assertThat(hex(frame, 40))
                .isEqualTo("0026" + "41" + "47" + "00000000" + "00000002" + "00000001" + "00000000" + "1100c000"
                        + "001e" + "c140" + "01020304" + "0000000000000005");
    }

    @Test
    @DisplayName("RFC 5040, figures 8 and 9: Terminate with a read request to blame is as long as one gets")
    void terminateOfReadRequest() {
        ByteBuffer offending = ByteBuffer.allocate(48);
        ReadRequestHeader.put(offending, 0, 3, 1, 2, 3, 4, 5);
        ByteBuffer frame = ByteBuffer.allocate(80);
        int end = TerminateHeader.put(frame, 0, TerminateCode.ACCESS_RIGHTS.value(), offending, 0);

        assertThat(end).isEqualTo(TerminateHeader.MAX_BYTES).isEqualTo(72);
        assertThat(TerminateHeader.control(frame, 0)).isEqualTo(0x0102E000);
        assertThat(TerminateHeader.code(0x0102E000)).isEqualTo(TerminateCode.ACCESS_RIGHTS.value());
        assertThat(frame.slice(26, 46)).isEqualTo(offending.slice(2, 46));
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "LOCAL_CATASTROPHIC,0000",
        "INVALID_STAG,0100",
        "BASE_OR_BOUNDS,0101",
        "ACCESS_RIGHTS,0102",
        "STAG_NOT_ASSOCIATED,0103",
        "TAGGED_OFFSET_WRAP,0104",
        "STAG_CANNOT_BE_INVALIDATED,0109",
        "INVALID_RDMAP_VERSION,0205",
        "UNEXPECTED_OPCODE,0206",
        "CATASTROPHIC_STREAM,0207",
        "CATASTROPHIC_GLOBAL,0208",
        "DDP_LOCAL_CATASTROPHIC,1000",
        "TAGGED_INVALID_STAG,1100",
        "TAGGED_BASE_OR_BOUNDS,1101",
        "TAGGED_STAG_NOT_ASSOCIATED,1102",
        "TAGGED_OFFSET_WRAPS,1103",
        "TAGGED_INVALID_DDP_VERSION,1104",
        "UNTAGGED_INVALID_QUEUE_NUMBER,1201",
        "UNTAGGED_NO_BUFFER,1202",
        "UNTAGGED_MESSAGE_SEQUENCE_NUMBER,1203",
        "UNTAGGED_MESSAGE_OFFSET,1204",
        "UNTAGGED_MESSAGE_TOO_LONG,1205",
        "UNTAGGED_INVALID_DDP_VERSION,1206",
        "MPA_CONNECTION_LOST,2001",
        "MPA_CRC,2002",
        "MPA_FRAME_START,2003",
        "MPA_INVALID_SETUP_FRAME,2004",
        "MPA_LOCAL_CATASTROPHIC,2005",
        "MPA_INSUFFICIENT_IRD,2006",
        "MPA_NO_MATCHING_RTR,2007"
    })
    void terminateCodes(TerminateCode code, String hex) {
        assertThat(HexFormat.of().toHexDigits((short) code.value())).isEqualTo(hex);
    }
}
