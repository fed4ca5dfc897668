package org.verbena.rdma.provider.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * The two control octets that every segment starts with: DDP's (RFC 5041, section 4.1) and RDMAP's (RFC 5040, section
 * 4.1, figure 3). Offsets count from the start of the frame, so they include MPA's length field.
 */
public final class Control {
    /** DDP: T and L bit, four reserved bits, version. */
    public static final int DDP = 2;

    /** RDMAP: version, two reserved bits, opcode. */
    public static final int RDMAP = 3;

    /** Where the control octets end. */
    public static final int END = 4;

    /** T: the segment is tagged. */
    public static final int TAGGED = 0x80;

    /** L: the segment is the last one of its message. */
    public static final int LAST = 0x40;

    private static final int DDP_VERSION_MASK = 0x03;
    private static final int DDP_VERSION = 0x01;
    private static final int RDMAP_VERSION_MASK = 0xC0;
    private static final int RDMAP_VERSION = 0x40;
    private static final int OPCODE_MASK = 0x0F;

    private Control() {}

    public static boolean isTagged(ByteBuffer frame, int at) {
        return (frame.get(at + DDP) & TAGGED) != 0;
    }

    public static boolean isLast(ByteBuffer frame, int at) {
        return (frame.get(at + DDP) & LAST) != 0;
    }

    public static boolean isDdpVersionValid(ByteBuffer frame, int at) {
        return (frame.get(at + DDP) & DDP_VERSION_MASK) == DDP_VERSION;
    }

    public static boolean isRdmapVersionValid(ByteBuffer frame, int at) {
        return (frame.get(at + RDMAP) & RDMAP_VERSION_MASK) == RDMAP_VERSION;
    }

    public static int opcode(ByteBuffer frame, int at) {
        return frame.get(at + RDMAP) & OPCODE_MASK;
    }

    /** The octets from the length field to the control octets: what every frame starts with. */
    public static void put(ByteBuffer frame, int at, int ulpduLength, int opcode, boolean last) {
        frame.putShort(at + Fpdu.ULPDU_LENGTH, (short) ulpduLength);
        int ddp = DDP_VERSION | (Opcode.isTagged(opcode) ? TAGGED : 0) | (last ? LAST : 0);
        frame.put(at + DDP, (byte) ddp);
        frame.put(at + RDMAP, (byte) (RDMAP_VERSION | opcode));
    }
}
