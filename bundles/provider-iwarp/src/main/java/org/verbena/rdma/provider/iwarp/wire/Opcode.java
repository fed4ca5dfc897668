package org.verbena.rdma.provider.iwarp.wire;

/** The operations of RDMAP (RFC 5040, section 4.3, figure 4); numbers, because there is one per frame. */
public final class Opcode {
    public static final int WRITE = 0;
    public static final int READ_REQUEST = 1;
    public static final int READ_RESPONSE = 2;
    public static final int SEND = 3;
    public static final int SEND_INVALIDATE = 4;
    public static final int SEND_SOLICITED = 5;
    public static final int SEND_SOLICITED_INVALIDATE = 6;
    public static final int TERMINATE = 7;

    private Opcode() {}

    /** Whether the operation travels in tagged segments; all others are untagged. */
    public static boolean isTagged(int opcode) {
        return opcode == WRITE || opcode == READ_RESPONSE;
    }

    public static boolean isSend(int opcode) {
        return opcode >= SEND && opcode <= SEND_SOLICITED_INVALIDATE;
    }

    public static boolean invalidates(int opcode) {
        return opcode == SEND_INVALIDATE || opcode == SEND_SOLICITED_INVALIDATE;
    }

    public static boolean isSolicited(int opcode) {
        return opcode == SEND_SOLICITED || opcode == SEND_SOLICITED_INVALIDATE;
    }

    public static boolean isKnown(int opcode) {
        return opcode <= TERMINATE;
    }

    /** The queue that the untagged operations use (RFC 5040, section 4.3). */
    public static int queueNumber(int opcode) {
        return switch (opcode) {
            case READ_REQUEST -> UntaggedHeader.READ_REQUEST_QUEUE;
            case TERMINATE -> UntaggedHeader.TERMINATE_QUEUE;
            default -> UntaggedHeader.SEND_QUEUE;
        };
    }

    public static int send(boolean solicited, boolean invalidate) {
        return SEND + (invalidate ? 1 : 0) + (solicited ? 2 : 0);
    }
}
