package org.verbena.rdma.provider.iwarp.mpa;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.provider.iwarp.wire.MpaSetupFrame;

/**
 * Reads an MPA Request or Reply and not a byte more, however it is cut into pieces on its way: the first frame may follow
 * at once. What cannot become a valid frame is told by its first wrong byte. Used on one loop.
 */
public final class SetupFrameReader {
    private final boolean request;
    private final ByteBuffer frame = ByteBuffer.allocate(MpaSetupFrame.BYTES + MpaSetupFrame.MAX_PRIVATE_DATA);

    public SetupFrameReader(boolean request) {
        this.request = request;
        frame.limit(MpaSetupFrame.BYTES);
    }

    /** Whether no byte has come so far. */
    public boolean isEmpty() {
        return frame.position() == 0;
    }

    /**
     * Reads what there is.
     *
     * @return the frame, or {@code null} if it is not complete yet
     * @throws SetupFault with CONNECTION_RESET if the peer has closed, PROTOCOL if it sends something else
     */
    public SetupFrame read(ReadableByteChannel channel) throws IOException, SetupFault {
        while (true) {
            int count = channel.read(frame);
            if (count < 0) {
                throw new SetupFault(RdmaError.CONNECTION_RESET, "the peer has closed the connection in the handshake");
            }
            check();
            if (!frame.hasRemaining()) {
                if (frame.limit() == total()) {
                    return decode();
                }
                frame.limit(total());
            } else if (count == 0) {
                return null;
            }
        }
    }

    private int total() {
        return MpaSetupFrame.BYTES + MpaSetupFrame.privateDataLength(frame);
    }

    private void check() throws SetupFault {
        if (!MpaSetupFrame.startsWithKey(frame, frame.position(), request)) {
            throw new SetupFault(
                    RdmaError.PROTOCOL, "the peer does not send an MPA " + (request ? "request" : "reply"));
        }
        if (frame.position() < MpaSetupFrame.BYTES) {
            return;
        }
        int length = MpaSetupFrame.privateDataLength(frame);
        if (length > MpaSetupFrame.MAX_PRIVATE_DATA) {
            throw new SetupFault(RdmaError.PROTOCOL, "the peer announces " + length + " bytes of private data");
        }
        boolean enhanced = (MpaSetupFrame.flags(frame) & MpaSetupFrame.ENHANCED) != 0;
        if (enhanced && length < MpaSetupFrame.ENHANCED_BYTES) {
            throw new SetupFault(RdmaError.PROTOCOL, "the peer leaves out the enhanced parameters that it announces");
        }
        if (request && (MpaSetupFrame.flags(frame) & MpaSetupFrame.REJECT) != 0) {
            throw new SetupFault(RdmaError.PROTOCOL, "the peer's request has the reject bit");
        }
    }

    private SetupFrame decode() {
        int flags = MpaSetupFrame.flags(frame);
        // The S bit means something from revision 2 on; before, those four bytes are the consumer's.
        if ((flags & MpaSetupFrame.REVISION_MASK) < 2) {
            flags &= ~MpaSetupFrame.ENHANCED;
        }
        frame.flip().position(MpaSetupFrame.BYTES);
        int first = 0;
        int second = 0;
        if ((flags & MpaSetupFrame.ENHANCED) != 0) {
            first = frame.getShort() & 0xFFFF;
            second = frame.getShort() & 0xFFFF;
        }
        ByteBuffer privateData = ByteBuffer.allocate(frame.remaining());
        privateData.put(frame).flip();
        return new SetupFrame(request, flags, first, second, privateData.asReadOnlyBuffer());
    }
}
