package org.verbena.rdma.provider.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * What a Terminate carries behind its untagged header (RFC 5040, section 4.8, figures 8 and 9): the terminate control,
 * then as told by its bits the length of the offending DDP segment, its DDP header, and its RDMA header. Offsets count
 * from the start of the frame.
 */
public final class TerminateHeader {
    /** Layer (4 bits), error type (4 bits), error code (8 bits), header control bits (3 bits), reserved (13 bits). */
    public static final int CONTROL = 20;

    /** The length of the offending DDP segment, if {@link #LENGTH_PRESENT}; 16 bits, followed by the headers. */
    public static final int SEGMENT_LENGTH = 24;

    /** Where the offending DDP header starts, if {@link #DDP_HEADER_PRESENT}. */
    public static final int DDP_HEADER = 26;

    /** The least length of a whole Terminate frame up to its payload's end. */
    public static final int BYTES = 24;

    /** M: the length of the offending segment is there. */
    public static final int LENGTH_PRESENT = 0x8000;

    /** D: the DDP header of the offending segment is there. */
    public static final int DDP_HEADER_PRESENT = 0x4000;

    /** R: the RDMA header of the offending segment, a read request, is there. */
    public static final int RDMA_HEADER_PRESENT = 0x2000;

    private static final int SIW_LENGTH_PRESENT = 0x0100;
    private static final int SIW_DDP_HEADER_PRESENT = 0x0200;
    private static final int SIW_RDMA_HEADER_PRESENT = 0x0400;

    /** The longest frame up to its payload's end: control, length, untagged header, read request. */
    public static final int MAX_BYTES = DDP_HEADER + ReadRequestHeader.END - Fpdu.ULPDU;

    private TerminateHeader() {}

    public static int control(ByteBuffer frame, int at) {
        return frame.getInt(at + CONTROL);
    }

    /** The layer, error type and error code of a control word: the upper 16 bits. */
    public static int code(int control) {
        return control >>> 16;
    }

    /**
     * The header control bits of a control word. Linux siw on little-endian machines has them the other way round in
     * their octet, where RFC 5040 has reserved bits, which are zero.
     */
    public static int headerBits(int control) {
        int bits = control & (LENGTH_PRESENT | DDP_HEADER_PRESENT | RDMA_HEADER_PRESENT);
        if (bits != 0) {
            return bits;
        }
        return ((control & SIW_LENGTH_PRESENT) != 0 ? LENGTH_PRESENT : 0)
                | ((control & SIW_DDP_HEADER_PRESENT) != 0 ? DDP_HEADER_PRESENT : 0)
                | ((control & SIW_RDMA_HEADER_PRESENT) != 0 ? RDMA_HEADER_PRESENT : 0);
    }

    /**
     * Writes a Terminate frame up to the end of its payload and returns how long that is.
     *
     * @param offending the frame that is to blame, from {@code offendingAt}, or {@code null} if there is none to show
     */
    public static int put(ByteBuffer frame, int at, int code, ByteBuffer offending, int offendingAt) {
        int end = BYTES;
        int bits = 0;
        if (offending != null) {
            boolean tagged = Control.isTagged(offending, offendingAt);
            boolean readRequest = !tagged && Control.opcode(offending, offendingAt) == Opcode.READ_REQUEST;
            int header = tagged ? TaggedHeader.BYTES : readRequest ? ReadRequestHeader.END : UntaggedHeader.BYTES;
            int segment = Fpdu.ulpduLength(offending, offendingAt);
            header = Math.min(header - Fpdu.ULPDU, segment);
            bits = LENGTH_PRESENT | DDP_HEADER_PRESENT | (readRequest ? RDMA_HEADER_PRESENT : 0);
            frame.putShort(at + SEGMENT_LENGTH, (short) segment);
            frame.put(at + DDP_HEADER, offending, offendingAt + Fpdu.ULPDU, header);
            end = DDP_HEADER + header;
        }
        UntaggedHeader.put(frame, at, Opcode.TERMINATE, true, end - UntaggedHeader.BYTES, 0, 1, 0);
        frame.putInt(at + CONTROL, code << 16 | bits);
        return end;
    }
}
