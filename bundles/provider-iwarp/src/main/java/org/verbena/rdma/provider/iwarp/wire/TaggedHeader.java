package org.verbena.rdma.provider.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * The header of a tagged segment (RFC 5041, section 4.2, figure 4): RDMA Write and RDMA Read Response. Offsets count from
 * the start of the frame.
 */
public final class TaggedHeader {
    /** The STag of the buffer that the payload goes to; 32 bits. */
    public static final int STAG = 4;

    /** The tagged offset of the first payload byte; 64 bits. */
    public static final int TAGGED_OFFSET = 8;

    /** Where the payload starts. */
    public static final int BYTES = 16;

    private TaggedHeader() {}

    public static int stag(ByteBuffer frame, int at) {
        return frame.getInt(at + STAG);
    }

    public static long taggedOffset(ByteBuffer frame, int at) {
        return frame.getLong(at + TAGGED_OFFSET);
    }

    public static void put(
            ByteBuffer frame, int at, int opcode, boolean last, int payload, int stag, long taggedOffset) {
        Control.put(frame, at, BYTES - Fpdu.LENGTH_BYTES + payload, opcode, last);
        frame.putInt(at + STAG, stag);
        frame.putLong(at + TAGGED_OFFSET, taggedOffset);
    }
}
