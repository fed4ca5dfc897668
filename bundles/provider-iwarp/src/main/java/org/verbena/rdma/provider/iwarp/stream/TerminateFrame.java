package org.verbena.rdma.provider.iwarp.stream;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.verbena.rdma.provider.iwarp.wire.Fpdu;
import org.verbena.rdma.provider.iwarp.wire.Marker;
import org.verbena.rdma.provider.iwarp.wire.TerminateCode;
import org.verbena.rdma.provider.iwarp.wire.TerminateHeader;

/** Composes the one frame of a stream that is sent outside of the send queue. */
public final class TerminateFrame {
    /** The longest Terminate, from its length field, or a marker before it, to its CRC. */
    public static final int MAX_BYTES = TerminateHeader.MAX_BYTES + 3 + Fpdu.CRC_BYTES + 2 * Marker.BYTES;

    private TerminateFrame() {}

    /**
     * Appends a Terminate.
     *
     * @param offending the header of the frame to blame, from offset 0, or {@code null}
     * @param withCrc whether the stream has CRCs
     * @param markersFrom where in the stream the frame starts if it gets markers, else -1
     */
    public static void put(
            ByteBuffer into, TerminateCode code, ByteBuffer offending, boolean withCrc, long markersFrom) {
        ByteBuffer frame = ByteBuffer.allocate(MAX_BYTES);
        int end = TerminateHeader.put(frame, 0, code.value(), offending, 0);
        int bytes = end + Fpdu.padding(end - Fpdu.LENGTH_BYTES);
        if (markersFrom >= 0) {
            int put = new MarkedFrame().put(frame, bytes, into, into.position(), markersFrom, withCrc);
            into.position(into.position() + put);
            return;
        }
        int value = 0;
        if (withCrc) {
            CRC32C crc = new CRC32C();
            crc.update(frame.array(), 0, bytes);
            value = (int) crc.getValue();
        }
        Fpdu.putCrc(frame, bytes, value);
        into.put(frame.limit(bytes + Fpdu.CRC_BYTES));
    }
}
