package org.verbena.rdma.provider.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * What Immediate Data and Immediate Data with Solicited Event carry behind their untagged header (RFC 7306, section 6.2,
 * figure 7). Offsets count from the start of the frame.
 *
 * <p>The RFC has 64 bits. The 32 bits of verbs go first and zeros follow them, as Linux' cxgb4 driver lays them out.
 */
public final class ImmediateDataHeader {
    /** The immediate data; 32 bits, then 32 bits of zeros. */
    public static final int DATA = UntaggedHeader.BYTES;

    /** How long it is. */
    public static final int BYTES = 8;

    /** Where it ends. */
    public static final int END = DATA + BYTES;

    private ImmediateDataHeader() {}

    public static int data(ByteBuffer frame, int at) {
        return frame.getInt(at + DATA);
    }

    public static void put(ByteBuffer frame, int at, boolean solicited, int messageSequenceNumber, int data) {
        UntaggedHeader.put(frame, at, Opcode.immediate(solicited), true, BYTES, 0, messageSequenceNumber, 0);
        frame.putInt(at + DATA, data);
        frame.putInt(at + DATA + Integer.BYTES, 0);
    }
}
