package org.verbena.rdma.provider.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * The frame of MPA: length, ULPDU, padding, CRC (RFC 5044, section 4.1, figure 3). Offsets count from the start of the
 * frame.
 */
public final class Fpdu {
    /** Length of the ULPDU without this field, the padding and the CRC; 16 bits. */
    public static final int ULPDU_LENGTH = 0;

    /** Where the ULPDU starts. */
    public static final int ULPDU = 2;

    /** How many bytes the length field takes. */
    public static final int LENGTH_BYTES = 2;

    /** How many bytes the CRC takes; the field is there also when no CRC is used, and is zero then. */
    public static final int CRC_BYTES = 4;

    /** The greatest ULPDU that the length field can tell. */
    public static final int MAX_ULPDU = 0xFFFF;

    /** The longest frame, without markers. */
    public static final int MAX_BYTES = LENGTH_BYTES + MAX_ULPDU + 3 + CRC_BYTES;

    private Fpdu() {}

    public static int ulpduLength(ByteBuffer frame, int at) {
        return frame.getShort(at + ULPDU_LENGTH) & 0xFFFF;
    }

    /** How many bytes bring length field and ULPDU to a multiple of four. */
    public static int padding(int ulpduLength) {
        return -(LENGTH_BYTES + ulpduLength) & 3;
    }

    /** The whole frame, from the length field to the CRC. */
    public static int bytes(int ulpduLength) {
        return LENGTH_BYTES + ulpduLength + padding(ulpduLength) + CRC_BYTES;
    }

    /** Writes the CRC32c: its bytes go out with the least significant first, as RFC 3720 does (RFC 5044, section 4.4). */
    public static void putCrc(ByteBuffer frame, int at, int crc) {
        frame.putInt(at, Integer.reverseBytes(crc));
    }

    public static int crc(ByteBuffer frame, int at) {
        return Integer.reverseBytes(frame.getInt(at));
    }
}
