package org.verbena.rdma.provider.iwarp.memory;

import org.verbena.rdma.spi.ReceiveRequest;

/**
 * The segments of the work requests in a ring, in arrays made once. Not safe for several threads; the ring's slots hand
 * its rows from one thread to the next.
 */
public final class SegmentTable {
    private final int columns;
    private final RegisteredMemory[] memories;
    private final int[] offsets;
    private final int[] lengths;
    private final int[] counts;

    public SegmentTable(int rows, int maxSegments) {
        columns = Math.max(1, maxSegments);
        memories = new RegisteredMemory[rows * columns];
        offsets = new int[rows * columns];
        lengths = new int[rows * columns];
        counts = new int[rows];
    }

    /** Copies the segments of a request, which core has checked to be few enough and inside of their regions. */
    public void store(int row, ReceiveRequest request) {
        int count = request.segmentCount();
        int first = row * columns;
        for (int i = 0; i < count; i++) {
            memories[first + i] = (RegisteredMemory) request.region(i);
            offsets[first + i] = (int) request.offset(i);
            lengths[first + i] = (int) request.length(i);
        }
        counts[row] = count;
    }

    public void load(int row, SegmentCursor into) {
        into.clear();
        int first = row * columns;
        for (int i = first; i < first + counts[row]; i++) {
            into.add(memories[i], offsets[i], lengths[i]);
        }
    }

    /** Lets go of the memory, so that none is kept from being collected by a request of the past. */
    public void clear(int row) {
        int first = row * columns;
        for (int i = first; i < first + counts[row]; i++) {
            memories[i] = null;
        }
        counts[row] = 0;
    }
}
