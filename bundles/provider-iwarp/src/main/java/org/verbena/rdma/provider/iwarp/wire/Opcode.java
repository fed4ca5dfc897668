package org.verbena.rdma.provider.iwarp.wire;

/**
 * The operations of RDMAP (RFC 5040, section 4.3, figure 4; RFC 7306, section 4.1, figure 2); numbers, because there is
 * one per frame.
 */
public final class Opcode {
    public static final int WRITE = 0;
    public static final int READ_REQUEST = 1;
    public static final int READ_RESPONSE = 2;
    public static final int SEND = 3;
    public static final int SEND_INVALIDATE = 4;
    public static final int SEND_SOLICITED = 5;
    public static final int SEND_SOLICITED_INVALIDATE = 6;
    public static final int TERMINATE = 7;
    public static final int IMMEDIATE = 8;
    public static final int IMMEDIATE_SOLICITED = 9;
    public static final int ATOMIC_REQUEST = 10;
    public static final int ATOMIC_RESPONSE = 11;

    private Opcode() {}

    /** Whether the operation travels in tagged segments; all others are untagged. */
    public static boolean isTagged(int opcode) {
        return opcode == WRITE || opcode == READ_RESPONSE;
    }

    public static boolean isSend(int opcode) {
        return opcode >= SEND && opcode <= SEND_SOLICITED_INVALIDATE;
    }

    public static boolean isImmediate(int opcode) {
        return opcode == IMMEDIATE || opcode == IMMEDIATE_SOLICITED;
    }

    public static boolean invalidates(int opcode) {
        return opcode == SEND_INVALIDATE || opcode == SEND_SOLICITED_INVALIDATE;
    }

    public static boolean isSolicited(int opcode) {
        return opcode == SEND_SOLICITED || opcode == SEND_SOLICITED_INVALIDATE || opcode == IMMEDIATE_SOLICITED;
    }

    /** Whether there is such an operation, with or without those of RFC 7306. */
    public static boolean isKnown(int opcode, boolean extensions) {
        return opcode <= (extensions ? ATOMIC_RESPONSE : TERMINATE);
    }

    /** How long the headers of an operation's segments are, from the start of the frame to the payload. */
    public static int headerBytes(int opcode) {
        return switch (opcode) {
            case WRITE, READ_RESPONSE -> TaggedHeader.BYTES;
            case READ_REQUEST -> ReadRequestHeader.END;
            case IMMEDIATE, IMMEDIATE_SOLICITED -> ImmediateDataHeader.END;
            case ATOMIC_REQUEST -> AtomicRequestHeader.END;
            case ATOMIC_RESPONSE -> AtomicResponseHeader.END;
            default -> UntaggedHeader.BYTES;
        };
    }

    /** The queue that the untagged operations use. */
    public static int queueNumber(int opcode) {
        return switch (opcode) {
            case READ_REQUEST, ATOMIC_REQUEST -> UntaggedHeader.READ_REQUEST_QUEUE;
            case TERMINATE -> UntaggedHeader.TERMINATE_QUEUE;
            case ATOMIC_RESPONSE -> UntaggedHeader.ATOMIC_RESPONSE_QUEUE;
            default -> UntaggedHeader.SEND_QUEUE;
        };
    }

    public static int immediate(boolean solicited) {
        return solicited ? IMMEDIATE_SOLICITED : IMMEDIATE;
    }

    public static int send(boolean solicited, boolean invalidate) {
        return SEND + (invalidate ? 1 : 0) + (solicited ? 2 : 0);
    }
}
