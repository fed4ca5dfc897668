package org.verbena.rdma.provider.disni.verbs;

import java.nio.ByteBuffer;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.spi.ReceiveRequest;

/** The segments of one work request, as natives read them. Guarded by who owns it. */
final class SegmentList {
    private static final int LENGTH = 8;
    private static final int KEY = 12;
    private static final long LONGEST = 0xFFFF_FFFFL;

    private final NativeBuffer buffer;
    private final int capacity;

    SegmentList(VerbsNatives natives, int capacity) {
        this.capacity = capacity;
        buffer = new NativeBuffer(natives, Math.max(1, capacity) * VerbsNatives.SEGMENT_BYTES);
    }

    long address() {
        return buffer.address();
    }

    /** Writes the segments of a request. */
    void write(ReceiveRequest request) throws RdmaException {
        int count = request.segmentCount();
        if (count > capacity) {
            throw new RdmaException(
                    RdmaError.TOO_LARGE,
                    count + " segments do not fit a queue that was made for " + capacity + ": ask for more");
        }
        ByteBuffer bytes = buffer.bytes();
        for (int i = 0; i < count; i++) {
            DisniMemoryRegion region = (DisniMemoryRegion) request.region(i);
            long length = request.length(i);
            if (length > LONGEST) {
                throw new RdmaException(
                        RdmaError.TOO_LARGE, "a segment of " + length + " bytes is too long: 4 GiB is the most");
            }
            int at = i * VerbsNatives.SEGMENT_BYTES;
            bytes.putLong(at, region.remoteAddress() + request.offset(i));
            bytes.putInt(at + LENGTH, (int) length);
            bytes.putInt(at + KEY, region.localKey());
        }
    }
}
