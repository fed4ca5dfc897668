package org.verbena.rdma.provider.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * The header of an untagged segment (RFC 5041, section 4.3, figure 6): the Sends, RDMA Read Request, Terminate,
 * Immediate Data and the atomics. Offsets count from the start of the frame.
 */
public final class UntaggedHeader {
    /** The STag that a Send with Invalidate invalidates, else zero (RFC 5040, section 4.1); 32 bits. */
    public static final int INVALIDATE_STAG = 4;

    /** The queue number; 32 bits. */
    public static final int QUEUE_NUMBER = 8;

    /** The number of the message in its queue, from 1; 32 bits. */
    public static final int MESSAGE_SEQUENCE_NUMBER = 12;

    /** The offset of the first payload byte in its message; 32 bits. */
    public static final int MESSAGE_OFFSET = 16;

    /** Where the payload starts. */
    public static final int BYTES = 20;

    /** The queue of the Sends and Immediate Data (RFC 5040, section 4.3). */
    public static final int SEND_QUEUE = 0;

    /** The queue of the RDMA Read Requests and Atomic Requests. */
    public static final int READ_REQUEST_QUEUE = 1;

    /** The queue of the Terminate. */
    public static final int TERMINATE_QUEUE = 2;

    /** The queue of the Atomic Responses (RFC 7306, section 4.1). */
    public static final int ATOMIC_RESPONSE_QUEUE = 3;

    private UntaggedHeader() {}

    public static int invalidateStag(ByteBuffer frame, int at) {
        return frame.getInt(at + INVALIDATE_STAG);
    }

    public static int queueNumber(ByteBuffer frame, int at) {
        return frame.getInt(at + QUEUE_NUMBER);
    }

    public static int messageSequenceNumber(ByteBuffer frame, int at) {
        return frame.getInt(at + MESSAGE_SEQUENCE_NUMBER);
    }

    public static long messageOffset(ByteBuffer frame, int at) {
        return frame.getInt(at + MESSAGE_OFFSET) & 0xFFFF_FFFFL;
    }

    public static void put(
            ByteBuffer frame,
            int at,
            int opcode,
            boolean last,
            int payload,
            int invalidateStag,
            int messageSequenceNumber,
            long messageOffset) {
        Control.put(frame, at, BYTES - Fpdu.LENGTH_BYTES + payload, opcode, last);
        frame.putInt(at + INVALIDATE_STAG, invalidateStag);
        frame.putInt(at + QUEUE_NUMBER, Opcode.queueNumber(opcode));
        frame.putInt(at + MESSAGE_SEQUENCE_NUMBER, messageSequenceNumber);
        frame.putInt(at + MESSAGE_OFFSET, (int) messageOffset);
    }
}
