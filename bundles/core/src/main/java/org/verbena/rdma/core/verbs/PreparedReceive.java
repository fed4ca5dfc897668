package org.verbena.rdma.core.verbs;

import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.ReceiveWorkRequest;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ReceiveRequest;

/** A receive request, as the consumer fills it and as the provider reads it. For one thread at a time. */
final class PreparedReceive implements ReceiveWorkRequest, ReceiveRequest {
    private final Segments segments;
    private long workRequestId;

    PreparedReceive(GuardedProtectionDomain domain, int maxSegments) {
        segments = new Segments(domain, maxSegments);
    }

    /** Finds what a consumer hands in. */
    static PreparedReceive of(ReceiveWorkRequest request, GuardedProtectionDomain domain) {
        if (request instanceof PreparedReceive prepared && prepared.segments.domain() == domain) {
            return prepared;
        }
        throw Segments.foreign(request, domain);
    }

    /** Checks the request inside the gate. */
    void check(GuardedObject queue, int maxSegments) throws RdmaException {
        segments.checkCount(queue, maxSegments);
        segments.checkRegions(true);
    }

    @Override
    public ReceiveWorkRequest clear() {
        workRequestId = 0;
        segments.clear();
        return this;
    }

    @Override
    public ReceiveWorkRequest workRequestId(long id) {
        workRequestId = id;
        return this;
    }

    @Override
    public ReceiveWorkRequest segment(MemoryRegion region, long offset, long length) {
        segments.addWritable(region, offset, length);
        return this;
    }

    @Override
    public ReceiveWorkRequest clearSegments() {
        segments.clear();
        return this;
    }

    @Override
    public long workRequestId() {
        return workRequestId;
    }

    @Override
    public int segmentCount() {
        return segments.count();
    }

    @Override
    public ProviderMemoryRegion region(int index) {
        return segments.region(index);
    }

    @Override
    public long offset(int index) {
        return segments.offset(index);
    }

    @Override
    public long length(int index) {
        return segments.length(index);
    }

    @Override
    public long totalLength() {
        return segments.totalLength();
    }
}
