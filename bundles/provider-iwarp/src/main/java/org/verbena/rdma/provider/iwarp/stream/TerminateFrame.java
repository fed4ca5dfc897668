package org.verbena.rdma.provider.iwarp.stream;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.verbena.rdma.provider.iwarp.wire.Fpdu;
import org.verbena.rdma.provider.iwarp.wire.TerminateCode;
import org.verbena.rdma.provider.iwarp.wire.TerminateHeader;

/** Composes the one frame of a stream that is sent outside of the send queue. */
public final class TerminateFrame {
    /** The longest Terminate, from its length field to its CRC. */
    public static final int MAX_BYTES = TerminateHeader.MAX_BYTES + 3 + Fpdu.CRC_BYTES;

    private TerminateFrame() {}

    /**
     * Appends a Terminate.
     *
     * @param into a buffer with an array
     * @param offending the header of the frame to blame, from offset 0, or {@code null}
     */
    public static void put(ByteBuffer into, TerminateCode code, ByteBuffer offending, boolean withCrc) {
        int at = into.position();
        int end = at + TerminateHeader.put(into, at, code.value(), offending, 0);
        int padding = Fpdu.padding(end - at - Fpdu.LENGTH_BYTES);
        into.position(end);
        for (int i = 0; i < padding; i++) {
            into.put((byte) 0);
        }
        int value = 0;
        if (withCrc) {
            CRC32C crc = new CRC32C();
            crc.update(into.array(), at, into.position() - at);
            value = (int) crc.getValue();
        }
        Fpdu.putCrc(into, into.position(), value);
        into.position(into.position() + Fpdu.CRC_BYTES);
    }
}
