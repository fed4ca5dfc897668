package org.verbena.rdma.examples.mirror;

import org.verbena.rdma.Access;
import org.verbena.rdma.spi.ReceiveRequest;

/** Pieces of memory that together are one message. Made once and filled again and again: posting allocates nothing. */
final class Segments {
    private final MirrorRegion[] regions;
    private final int[] offsets;
    private final int[] lengths;
    private int count;
    private long total;

    Segments(int most) {
        regions = new MirrorRegion[most];
        offsets = new int[most];
        lengths = new int[most];
    }

    /** Copies them: a request is valid inside of the post call only. */
    void set(ReceiveRequest request) {
        count = request.segmentCount();
        total = request.totalLength();
        for (int i = 0; i < count; i++) {
            regions[i] = (MirrorRegion) request.region(i);
            offsets[i] = (int) request.offset(i);
            lengths[i] = (int) request.length(i);
        }
    }

    /** A part of a peer's region. */
    void set(MirrorRegion region, long address, long length) {
        count = 1;
        total = length;
        regions[0] = region;
        offsets[0] = (int) (address - region.remoteAddress());
        lengths[0] = (int) length;
    }

    long total() {
        return total;
    }

    boolean allow(Access wanted) {
        for (int i = 0; i < count; i++) {
            if (!regions[i].allows(wanted)) {
                return false;
            }
        }
        return true;
    }

    /** Copies all to the beginning of the others, which have room for it. */
    void copyTo(Segments target) {
        int into = 0;
        int filled = 0;
        for (int i = 0; i < count; i++) {
            int done = 0;
            while (done < lengths[i]) {
                if (filled == target.lengths[into]) {
                    into++;
                    filled = 0;
                    continue;
                }
                int length = Math.min(lengths[i] - done, target.lengths[into] - filled);
                target.regions[into]
                        .buffer()
                        .put(target.offsets[into] + filled, regions[i].buffer(), offsets[i] + done, length);
                done += length;
                filled += length;
            }
        }
    }
}
