package org.verbena.rdma.provider.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * What an Atomic Response carries behind its untagged header (RFC 7306, section 5.2.2, figure 6). Offsets count from the
 * start of the frame.
 */
public final class AtomicResponseHeader {
    /** The number that came with the request; 32 bits. */
    public static final int REQUEST_IDENTIFIER = 20;

    /** What was in the memory before; 64 bits. */
    public static final int ORIGINAL_VALUE = 24;

    /** Where it ends. */
    public static final int END = 32;

    /** How long it is. */
    public static final int BYTES = END - UntaggedHeader.BYTES;

    private AtomicResponseHeader() {}

    public static int requestIdentifier(ByteBuffer frame, int at) {
        return frame.getInt(at + REQUEST_IDENTIFIER);
    }

    public static long originalValue(ByteBuffer frame, int at) {
        return frame.getLong(at + ORIGINAL_VALUE);
    }

    public static void put(
            ByteBuffer frame, int at, int messageSequenceNumber, int requestIdentifier, long originalValue) {
        UntaggedHeader.put(frame, at, Opcode.ATOMIC_RESPONSE, true, BYTES, 0, messageSequenceNumber, 0);
        frame.putInt(at + REQUEST_IDENTIFIER, requestIdentifier);
        frame.putLong(at + ORIGINAL_VALUE, originalValue);
    }
}
