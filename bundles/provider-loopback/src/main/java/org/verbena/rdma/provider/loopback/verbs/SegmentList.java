package org.verbena.rdma.provider.loopback.verbs;

import java.nio.ByteBuffer;

/**
 * Pieces of memory that bytes are moved from or to, held open while it is filled. Used again and again by the thread
 * that carries out a send queue.
 */
final class SegmentList {
    private final ByteBuffer[] buffers;
    private final int[] offsets;
    private final int[] lengths;
    private final LoopbackMemoryRegion[] regions;
    private final long[] stamps;
    private int count;

    SegmentList(int capacity) {
        buffers = new ByteBuffer[capacity];
        offsets = new int[capacity];
        lengths = new int[capacity];
        regions = new LoopbackMemoryRegion[capacity];
        stamps = new long[capacity];
    }

    /** Enters the regions of a request; {@code false}, and nothing entered, if one of them may not be used so. */
    boolean enter(WorkRequest request, LoopbackProtectionDomain domain, boolean write) {
        for (int index = 0; index < request.segmentCount(); index++) {
            LoopbackMemoryRegion region = request.region(index);
            boolean allowed = region != null && region.domain() == domain && (!write || region.isLocallyWritable());
            if (!allowed || !enter(region, request.offset(index), request.length(index))) {
                leave();
                return false;
            }
        }
        return true;
    }

    /** Enters a part of one region; {@code false} if it is closed. */
    boolean enter(LoopbackMemoryRegion region, int offset, int length) {
        long stamp = region.enter();
        if (stamp == 0) {
            return false;
        }
        regions[count] = region;
        stamps[count] = stamp;
        add(region.buffer(), offset, length);
        return true;
    }

    /** Adds memory that belongs to no region. */
    void add(ByteBuffer buffer, int offset, int length) {
        buffers[count] = buffer;
        offsets[count] = offset;
        lengths[count] = length;
        count++;
    }

    void leave() {
        for (int index = 0; index < count; index++) {
            if (regions[index] != null) {
                regions[index].leave(stamps[index]);
                regions[index] = null;
            }
            buffers[index] = null;
        }
        count = 0;
    }

    ByteBuffer buffer(int index) {
        return buffers[index];
    }

    int offset(int index) {
        return offsets[index];
    }

    /** Moves bytes into another list, which has room for them. */
    void copyTo(SegmentList sink, long length) {
        int from = 0;
        int fromUsed = 0;
        int to = 0;
        int toUsed = 0;
        long left = length;
        while (left > 0) {
            int step = (int) Math.min(left, Math.min(lengths[from] - fromUsed, sink.lengths[to] - toUsed));
            sink.buffers[to].put(sink.offsets[to] + toUsed, buffers[from], offsets[from] + fromUsed, step);
            left -= step;
            fromUsed += step;
            toUsed += step;
            if (fromUsed == lengths[from]) {
                from++;
                fromUsed = 0;
            }
            if (toUsed == sink.lengths[to]) {
                to++;
                toUsed = 0;
            }
        }
    }
}
