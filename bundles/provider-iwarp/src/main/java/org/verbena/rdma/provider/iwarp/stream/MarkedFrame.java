package org.verbena.rdma.provider.iwarp.stream;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.verbena.rdma.provider.iwarp.wire.Fpdu;
import org.verbena.rdma.provider.iwarp.wire.Marker;

/**
 * Puts markers into a frame, and the CRC, which covers them, behind it. A marker between two frames belongs to the one
 * that follows.
 */
final class MarkedFrame {
    private final CRC32C crc = new CRC32C();
    private ByteBuffer into;
    private int at;
    private int lengthField;
    private long streamOffset;

    /**
     * Copies a frame.
     *
     * @param frame the frame without its CRC, from offset 0
     * @param bytes how long that is, a multiple of four
     * @param target where to put it, by absolute offsets
     * @param targetAt the offset there
     * @param offset where in the stream the frame starts
     * @param withCrc whether the CRC is computed, or zero
     * @return how many bytes were put
     */
    int put(ByteBuffer frame, int bytes, ByteBuffer target, int targetAt, long offset, boolean withCrc) {
        into = target;
        at = targetAt;
        streamOffset = offset;
        if (Marker.isAt(offset)) {
            marker(0);
        }
        lengthField = at;
        copy(frame, bytes);
        int value = 0;
        if (withCrc) {
            crc.reset();
            crc.update(target.duplicate().limit(at).position(targetAt));
            value = (int) crc.getValue();
        }
        Fpdu.putCrc(target, at, value);
        return at + Fpdu.CRC_BYTES - targetAt;
    }

    private void copy(ByteBuffer frame, int bytes) {
        int from = 0;
        // The CRC follows without a gap: a marker that falls before it is put here already.
        while (from < bytes) {
            int piece = Math.min(bytes - from, Marker.bytesUntilNext(streamOffset));
            into.put(at, frame, from, piece);
            at += piece;
            from += piece;
            streamOffset += piece;
            if (Marker.isAt(streamOffset)) {
                marker(at - lengthField);
            }
        }
    }

    private void marker(int bytesFromLengthField) {
        into.putInt(at, Marker.value(bytesFromLengthField));
        at += Marker.BYTES;
        streamOffset += Marker.BYTES;
    }
}
