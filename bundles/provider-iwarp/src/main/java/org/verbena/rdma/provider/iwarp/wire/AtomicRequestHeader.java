package org.verbena.rdma.provider.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * What an Atomic Request carries behind its untagged header (RFC 7306, section 5.2.1, figures 4 and 5). Offsets count
 * from the start of the frame.
 */
public final class AtomicRequestHeader {
    /** 28 reserved bits, then the atomic operation code. */
    public static final int OPERATION = 20;

    /** A number that comes back with the response; 32 bits. */
    public static final int REQUEST_IDENTIFIER = 24;

    /** The STag of the target; 32 bits. */
    public static final int REMOTE_STAG = 28;

    /** The tagged offset of the target; 64 bits. */
    public static final int REMOTE_TAGGED_OFFSET = 32;

    /** What is added, or put; 64 bits. */
    public static final int ADD_OR_SWAP_DATA = 40;

    /** The last bits of the fields that are added, or the bits that are put; 64 bits. */
    public static final int ADD_OR_SWAP_MASK = 48;

    /** What is expected; 64 bits. */
    public static final int COMPARE_DATA = 56;

    /** The bits that are compared; 64 bits. */
    public static final int COMPARE_MASK = 64;

    /** Where it ends. */
    public static final int END = 72;

    /** How long it is. */
    public static final int BYTES = END - UntaggedHeader.BYTES;

    /** The operation code of FetchAdd. */
    public static final int FETCH_ADD = 0;

    /** The operation code of CmpSwap. */
    public static final int COMPARE_SWAP = 2;

    private static final int OPERATION_MASK = 0x0F;
    private static final long ALL_BITS = -1;

    private AtomicRequestHeader() {}

    public static int operation(ByteBuffer frame, int at) {
        return frame.getInt(at + OPERATION) & OPERATION_MASK;
    }

    public static int requestIdentifier(ByteBuffer frame, int at) {
        return frame.getInt(at + REQUEST_IDENTIFIER);
    }

    public static int remoteStag(ByteBuffer frame, int at) {
        return frame.getInt(at + REMOTE_STAG);
    }

    public static long remoteTaggedOffset(ByteBuffer frame, int at) {
        return frame.getLong(at + REMOTE_TAGGED_OFFSET);
    }

    public static long addOrSwapData(ByteBuffer frame, int at) {
        return frame.getLong(at + ADD_OR_SWAP_DATA);
    }

    public static long addOrSwapMask(ByteBuffer frame, int at) {
        return frame.getLong(at + ADD_OR_SWAP_MASK);
    }

    public static long compareData(ByteBuffer frame, int at) {
        return frame.getLong(at + COMPARE_DATA);
    }

    public static long compareMask(ByteBuffer frame, int at) {
        return frame.getLong(at + COMPARE_MASK);
    }

    /** A FetchAdd of one field of 64 bits: no bit of the mask is set. */
    public static void putFetchAdd(
            ByteBuffer frame,
            int at,
            int messageSequenceNumber,
            int requestIdentifier,
            int remoteStag,
            long remoteTaggedOffset,
            long addend) {
        put(frame, at, FETCH_ADD, messageSequenceNumber, requestIdentifier, remoteStag, remoteTaggedOffset);
        frame.putLong(at + ADD_OR_SWAP_DATA, addend);
        frame.putLong(at + ADD_OR_SWAP_MASK, 0);
        frame.putLong(at + COMPARE_DATA, 0);
        frame.putLong(at + COMPARE_MASK, ALL_BITS);
    }

    /** A CmpSwap of all 64 bits. */
    public static void putCompareSwap(
            ByteBuffer frame,
            int at,
            int messageSequenceNumber,
            int requestIdentifier,
            int remoteStag,
            long remoteTaggedOffset,
            long expected,
            long replacement) {
        put(frame, at, COMPARE_SWAP, messageSequenceNumber, requestIdentifier, remoteStag, remoteTaggedOffset);
        frame.putLong(at + ADD_OR_SWAP_DATA, replacement);
        frame.putLong(at + ADD_OR_SWAP_MASK, ALL_BITS);
        frame.putLong(at + COMPARE_DATA, expected);
        frame.putLong(at + COMPARE_MASK, ALL_BITS);
    }

    private static void put(
            ByteBuffer frame,
            int at,
            int operation,
            int messageSequenceNumber,
            int requestIdentifier,
            int remoteStag,
            long remoteTaggedOffset) {
        UntaggedHeader.put(frame, at, Opcode.ATOMIC_REQUEST, true, BYTES, 0, messageSequenceNumber, 0);
        frame.putInt(at + OPERATION, operation);
        frame.putInt(at + REQUEST_IDENTIFIER, requestIdentifier);
        frame.putInt(at + REMOTE_STAG, remoteStag);
        frame.putLong(at + REMOTE_TAGGED_OFFSET, remoteTaggedOffset);
    }
}
