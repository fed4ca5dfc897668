package org.verbena.rdma.provider.iwarp.stream;

import java.nio.ByteBuffer;
import org.verbena.rdma.provider.iwarp.wire.Control;
import org.verbena.rdma.provider.iwarp.wire.Fpdu;
import org.verbena.rdma.provider.iwarp.wire.Opcode;
import org.verbena.rdma.provider.iwarp.wire.TaggedHeader;
import org.verbena.rdma.provider.iwarp.wire.TerminateHeader;
import org.verbena.rdma.provider.iwarp.wire.UntaggedHeader;

/** The peer has sent a Terminate. */
final class PeerTerminated extends Exception {
    private static final long serialVersionUID = 1L;

    private static final int NONE = -1;

    /** Layer, error type and error code. */
    private final int code;

    /** The operation of the segment that the peer shows, or NONE. */
    private final int opcode;

    /** The STag of a tagged segment, the message sequence number of an untagged one. */
    private final int stagOrSequence;

    private PeerTerminated(int code, int opcode, int stagOrSequence) {
        super(null, null, false, false);
        this.code = code;
        this.opcode = opcode;
        this.stagOrSequence = stagOrSequence;
    }

    /**
     * Reads a Terminate that is there as a whole.
     *
     * @param bytes how long it is up to the end of its payload, at least to the end of its control word
     */
    static PeerTerminated read(ByteBuffer from, int at, int bytes) {
        int control = TerminateHeader.control(from, at);
        // Where the frame to blame would start if its length field stood before its header.
        int shown = at + TerminateHeader.DDP_HEADER - Fpdu.ULPDU;
        int there = bytes - TerminateHeader.DDP_HEADER + Fpdu.ULPDU;
        int opcode = NONE;
        int value = 0;
        if ((TerminateHeader.headerBits(control) & TerminateHeader.DDP_HEADER_PRESENT) != 0 && there >= Control.END) {
            boolean tagged = Control.isTagged(from, shown);
            if (there >= (tagged ? TaggedHeader.BYTES : UntaggedHeader.BYTES)) {
                opcode = Control.opcode(from, shown);
                value = tagged ? TaggedHeader.stag(from, shown) : UntaggedHeader.messageSequenceNumber(from, shown);
            }
        }
        return new PeerTerminated(TerminateHeader.code(control), opcode, value);
    }

    int code() {
        return code;
    }

    /** Whether a segment is shown at all. */
    boolean showsSegment() {
        return opcode != NONE;
    }

    /** Whether what is shown is a read or an atomic, which share a queue. */
    boolean showsReadRequest() {
        return opcode == Opcode.READ_REQUEST || opcode == Opcode.ATOMIC_REQUEST;
    }

    boolean showsWrite() {
        return opcode == Opcode.WRITE;
    }

    int stagOrSequence() {
        return stagOrSequence;
    }
}
