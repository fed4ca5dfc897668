package org.verbena.rdma.provider.iwarp.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The MPA Request and Reply frames (RFC 5044, section 7.1.1, figure 10) with the enhanced parameters that start their
 * private data in revision 2 (RFC 6581, section 6, figures 3 and 4). Offsets count from the start of the frame.
 */
public final class MpaSetupFrame {
    /** Sixteen characters that tell request from reply. */
    public static final int KEY = 0;

    /** How long the key is. */
    public static final int KEY_BYTES = 16;

    /** M, C, R and S bit, reserved bits, revision; 16 bits. */
    public static final int FLAGS = 16;

    /** The length of the private data, enhanced parameters included; 16 bits. */
    public static final int PRIVATE_DATA_LENGTH = 18;

    /** Where the private data starts. */
    public static final int BYTES = 20;

    /** The most private data that a frame carries (RFC 5044, section 7.1.1). */
    public static final int MAX_PRIVATE_DATA = 512;

    /** M: the sender of this frame wants markers in what it receives. */
    public static final int MARKERS = 0x8000;

    /** C: the sender of this frame wants CRCs. */
    public static final int CRC = 0x4000;

    /** R: the connection is refused; in a reply only. */
    public static final int REJECT = 0x2000;

    /** S: the private data starts with the enhanced parameters (RFC 6581, section 6). */
    public static final int ENHANCED = 0x1000;

    /** The bits of the revision. */
    public static final int REVISION_MASK = 0x00FF;

    /** How long the enhanced parameters are. */
    public static final int ENHANCED_BYTES = 4;

    /** Peer-to-peer, in the first word of the enhanced parameters. */
    public static final int PEER_TO_PEER = 0x8000;

    /** A zero-length Send as ready-to-receive message, in the first word. */
    public static final int RTR_SEND = 0x4000;

    /** A zero-length RDMA Write as ready-to-receive message, in the second word. */
    public static final int RTR_WRITE = 0x8000;

    /** A zero-length RDMA Read as ready-to-receive message, in the second word. */
    public static final int RTR_READ = 0x4000;

    /** The bits of IRD (first word) and ORD (second word). */
    public static final int DEPTH_MASK = 0x3FFF;

    /** An IRD or ORD that is not negotiated (RFC 6581, section 6). */
    public static final int DEPTH_NOT_NEGOTIATED = 0x3FFF;

    private static final byte[] REQUEST_KEY = "MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REPLY_KEY = "MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII);

    private MpaSetupFrame() {}

    /** Whether the first {@code count} bytes are those of a request's or a reply's key. */
    public static boolean startsWithKey(ByteBuffer frame, int count, boolean request) {
        byte[] key = request ? REQUEST_KEY : REPLY_KEY;
        for (int i = 0; i < Math.min(count, KEY_BYTES); i++) {
            if (frame.get(i) != key[i]) {
                return false;
            }
        }
        return true;
    }

    public static int flags(ByteBuffer frame) {
        return frame.getShort(FLAGS) & 0xFFFF;
    }

    public static int privateDataLength(ByteBuffer frame) {
        return frame.getShort(PRIVATE_DATA_LENGTH) & 0xFFFF;
    }

    /** Writes the frame up to its private data, at position 0. */
    public static void put(ByteBuffer frame, boolean request, int flags, int privateDataLength) {
        frame.put(KEY, request ? REQUEST_KEY : REPLY_KEY);
        frame.putShort(FLAGS, (short) flags);
        frame.putShort(PRIVATE_DATA_LENGTH, (short) privateDataLength);
    }
}
