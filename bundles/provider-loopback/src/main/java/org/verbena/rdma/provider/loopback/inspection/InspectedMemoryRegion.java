package org.verbena.rdma.provider.loopback.inspection;

import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.provider.loopback.verbs.LoopbackMemoryRegion;
import org.verbena.rdma.provider.loopback.verbs.RegionHolder;

/** A memory region under inspection. */
final class InspectedMemoryRegion implements RegionHolder {
    private final LoopbackMemoryRegion region;
    private final InspectedObject object;

    InspectedMemoryRegion(LoopbackMemoryRegion region, InspectedObject object) {
        this.region = region;
        this.object = object;
    }

    @Override
    public LoopbackMemoryRegion region() {
        return region;
    }

    @Override
    public long remoteAddress() {
        object.enterToRead();
        try {
            return region.remoteAddress();
        } finally {
            object.leave();
        }
    }

    @Override
    public int remoteKey() {
        object.enterToRead();
        try {
            return region.remoteKey();
        } finally {
            object.leave();
        }
    }

    @Override
    public void close() {
        object.close(ProviderCall.CLOSE_MEMORY_REGION, region::close);
    }

    InspectedObject object() {
        return object;
    }
}
