package org.verbena.rdma.core.verbs;

import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.ReceiveWorkRequest;

/** A receive request, as the consumer fills it and as the provider reads it. For one thread at a time. */
final class PreparedReceive extends PreparedRequest implements ReceiveWorkRequest {
    PreparedReceive(GuardedProtectionDomain domain, int maxSegments) {
        super(domain, maxSegments);
    }

    /** Finds what a consumer hands in. */
    static PreparedReceive of(ReceiveWorkRequest request, GuardedProtectionDomain domain) {
        if (request instanceof PreparedReceive prepared && prepared.isOf(domain)) {
            return prepared;
        }
        throw foreign(request, domain);
    }

    /** Checks the request inside the gate. */
    void check(GuardedObject queue, int maxSegments) throws RdmaException {
        checkCount(queue, maxSegments);
        checkRegions();
    }

    @Override
    public ReceiveWorkRequest clear() {
        number(0);
        removeSegments();
        return this;
    }

    @Override
    public ReceiveWorkRequest workRequestId(long id) {
        number(id);
        return this;
    }

    @Override
    public ReceiveWorkRequest segment(MemoryRegion region, long offset, long length) {
        addWritable(region, offset, length);
        return this;
    }

    @Override
    public ReceiveWorkRequest clearSegments() {
        removeSegments();
        return this;
    }
}
