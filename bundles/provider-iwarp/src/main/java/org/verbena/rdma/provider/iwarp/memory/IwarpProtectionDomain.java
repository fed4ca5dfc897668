package org.verbena.rdma.provider.iwarp.memory;

import java.nio.ByteBuffer;
import java.util.Set;
import org.verbena.rdma.Access;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.iwarp.queue.SharedReceiveRing;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderProtectionDomain;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;

/** A protection domain: an identity that memory and queue pairs are compared by. Immutable. */
public final class IwarpProtectionDomain implements ProviderProtectionDomain {
    private final StagTable stags;

    public IwarpProtectionDomain(StagTable stags) {
        this.stags = stags;
    }

    @Override
    public ProviderMemoryRegion registerMemory(ByteBuffer buffer, Set<Access> access) throws RdmaException {
        return stags.register(this, buffer, access);
    }

    @Override
    public ProviderSharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxSegments) {
        return new SharedReceiveRing(maxReceives, maxSegments);
    }

    @Override
    public void close() {
        // Nothing is held for it.
    }
}
