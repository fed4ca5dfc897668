package org.verbena.rdma.provider.loopback.verbs;

import java.util.Arrays;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ReceiveRequest;

/** A place for a posted work request, used again and again. Guarded by its queue. */
class WorkRequest {
    private final LoopbackMemoryRegion[] regions;
    private final long[] offsets;
    private final long[] lengths;
    private long id;
    private int segmentCount;
    private long totalLength;

    WorkRequest(int maxSegments) {
        regions = new LoopbackMemoryRegion[maxSegments];
        offsets = new long[maxSegments];
        lengths = new long[maxSegments];
    }

    final void take(ReceiveRequest request) {
        id = request.workRequestId();
        segmentCount = request.segmentCount();
        totalLength = request.totalLength();
        for (int index = 0; index < segmentCount; index++) {
            regions[index] = own(request.region(index));
            offsets[index] = request.offset(index);
            lengths[index] = request.length(index);
        }
    }

    final void take(WorkRequest other) {
        id = other.id;
        segmentCount = other.segmentCount;
        totalLength = other.totalLength;
        System.arraycopy(other.regions, 0, regions, 0, segmentCount);
        System.arraycopy(other.offsets, 0, offsets, 0, segmentCount);
        System.arraycopy(other.lengths, 0, lengths, 0, segmentCount);
    }

    /** Keeps no region alive any longer. */
    final void forget() {
        Arrays.fill(regions, 0, segmentCount, null);
        segmentCount = 0;
    }

    final long id() {
        return id;
    }

    final int segmentCount() {
        return segmentCount;
    }

    final long totalLength() {
        return totalLength;
    }

    /** Returns the region, or {@code null} if it is none of this provider. */
    final LoopbackMemoryRegion region(int index) {
        return regions[index];
    }

    final int offset(int index) {
        return (int) offsets[index];
    }

    final int length(int index) {
        return (int) lengths[index];
    }

    private static LoopbackMemoryRegion own(ProviderMemoryRegion region) {
        return region instanceof RegionHolder holder ? holder.region() : null;
    }
}
