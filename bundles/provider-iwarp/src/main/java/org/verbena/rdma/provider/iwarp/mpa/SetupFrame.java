package org.verbena.rdma.provider.iwarp.mpa;

import java.nio.ByteBuffer;
import org.verbena.rdma.provider.iwarp.wire.MpaSetupFrame;

/**
 * An MPA Request or Reply. Immutable as long as nobody writes into the private data.
 *
 * @param request a request, else a reply
 * @param flags the M, C, R and S bits and the revision
 * @param firstWord the first word of the enhanced parameters, 0 if there are none
 * @param secondWord the second word of the enhanced parameters, 0 if there are none
 * @param privateData what is left for the consumer, from position 0
 */
public record SetupFrame(boolean request, int flags, int firstWord, int secondWord, ByteBuffer privateData) {

    public int revision() {
        return flags & MpaSetupFrame.REVISION_MASK;
    }

    public boolean wantsMarkers() {
        return (flags & MpaSetupFrame.MARKERS) != 0;
    }

    public boolean wantsCrc() {
        return (flags & MpaSetupFrame.CRC) != 0;
    }

    public boolean rejects() {
        return (flags & MpaSetupFrame.REJECT) != 0;
    }

    public boolean isEnhanced() {
        return (flags & MpaSetupFrame.ENHANCED) != 0;
    }

    public boolean isPeerToPeer() {
        return isEnhanced() && (firstWord & MpaSetupFrame.PEER_TO_PEER) != 0;
    }

    public boolean offers(ReadyToReceive form) {
        return form.isIn(firstWord, secondWord);
    }

    /** How many reads the sender of this frame serves at a time, or -1 if it does not tell. */
    public int ird() {
        return depth(firstWord);
    }

    /** How many reads the sender of this frame starts at a time, or -1 if it does not tell. */
    public int ord() {
        return depth(secondWord);
    }

    private int depth(int word) {
        int depth = word & MpaSetupFrame.DEPTH_MASK;
        return !isEnhanced() || depth == MpaSetupFrame.DEPTH_NOT_NEGOTIATED ? -1 : depth;
    }

    /** The bytes of the frame, ready to be written out. */
    public ByteBuffer encode() {
        int enhanced = isEnhanced() ? MpaSetupFrame.ENHANCED_BYTES : 0;
        int length = enhanced + privateData.remaining();
        ByteBuffer frame = ByteBuffer.allocate(MpaSetupFrame.BYTES + length);
        MpaSetupFrame.put(frame, request, flags, length);
        frame.position(MpaSetupFrame.BYTES);
        if (isEnhanced()) {
            frame.putShort((short) firstWord).putShort((short) secondWord);
        }
        frame.put(privateData.duplicate());
        return frame.flip();
    }
}
