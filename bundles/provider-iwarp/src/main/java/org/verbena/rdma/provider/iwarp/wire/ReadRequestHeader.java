package org.verbena.rdma.provider.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * What an RDMA Read Request carries behind its untagged header (RFC 5040, section 4.4, figure 5). Offsets count from the
 * start of the frame.
 */
public final class ReadRequestHeader {
    /** The STag of the data sink; 32 bits. */
    public static final int SINK_STAG = 20;

    /** The tagged offset of the data sink; 64 bits. */
    public static final int SINK_TAGGED_OFFSET = 24;

    /** How many bytes are to be read; 32 bits. */
    public static final int SIZE = 32;

    /** The STag of the data source; 32 bits. */
    public static final int SOURCE_STAG = 36;

    /** The tagged offset of the data source; 64 bits. */
    public static final int SOURCE_TAGGED_OFFSET = 40;

    /** Where it ends. */
    public static final int END = 48;

    /** How long it is. */
    public static final int BYTES = END - UntaggedHeader.BYTES;

    private ReadRequestHeader() {}

    public static int sinkStag(ByteBuffer frame, int at) {
        return frame.getInt(at + SINK_STAG);
    }

    public static long sinkTaggedOffset(ByteBuffer frame, int at) {
        return frame.getLong(at + SINK_TAGGED_OFFSET);
    }

    public static long size(ByteBuffer frame, int at) {
        return frame.getInt(at + SIZE) & 0xFFFF_FFFFL;
    }

    public static int sourceStag(ByteBuffer frame, int at) {
        return frame.getInt(at + SOURCE_STAG);
    }

    public static long sourceTaggedOffset(ByteBuffer frame, int at) {
        return frame.getLong(at + SOURCE_TAGGED_OFFSET);
    }

    public static void put(
            ByteBuffer frame,
            int at,
            int messageSequenceNumber,
            int sinkStag,
            long sinkTaggedOffset,
            long size,
            int sourceStag,
            long sourceTaggedOffset) {
        UntaggedHeader.put(frame, at, Opcode.READ_REQUEST, true, BYTES, 0, messageSequenceNumber, 0);
        frame.putInt(at + SINK_STAG, sinkStag);
        frame.putLong(at + SINK_TAGGED_OFFSET, sinkTaggedOffset);
        frame.putInt(at + SIZE, (int) size);
        frame.putInt(at + SOURCE_STAG, sourceStag);
        frame.putLong(at + SOURCE_TAGGED_OFFSET, sourceTaggedOffset);
    }
}
