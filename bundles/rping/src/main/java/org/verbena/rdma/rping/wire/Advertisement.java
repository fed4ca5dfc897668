package org.verbena.rdma.rping.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a client tells of a buffer that the server may read or write. On the wire: 16 bytes, big-endian.
 *
 * @param address where the buffer starts, as the peer reaches it
 * @param key the remote key
 * @param size how many bytes it has, an unsigned 32-bit number
 */
public record Advertisement(long address, int key, long size) {
    /** The length on the wire; the server's go-ahead has it too. */
    public static final int LENGTH = 16;

    /** What the server sends back; nobody looks into it. */
    public static final Advertisement GO_AHEAD = new Advertisement(0, 0, 0);

    /** Reads one from the start of a buffer. */
    public static Advertisement read(ByteBuffer buffer) {
        ByteBuffer wire = buffer.duplicate().order(ByteOrder.BIG_ENDIAN);
        return new Advertisement(wire.getLong(0), wire.getInt(8), Integer.toUnsignedLong(wire.getInt(12)));
    }

    /** Writes this to the start of a buffer. */
    public void write(ByteBuffer buffer) {
        buffer.duplicate()
                .order(ByteOrder.BIG_ENDIAN)
                .putLong(0, address)
                .putInt(8, key)
                .putInt(12, (int) size);
    }
}
