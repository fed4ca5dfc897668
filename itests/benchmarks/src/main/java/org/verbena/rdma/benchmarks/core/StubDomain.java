package org.verbena.rdma.benchmarks.core;

import java.nio.ByteBuffer;
import java.util.Set;
import org.verbena.rdma.Access;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderProtectionDomain;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;

/** A protection domain of a {@link StubDevice}. */
final class StubDomain implements ProviderProtectionDomain {
    /** A region that nobody can reach. */
    private record StubRegion(long remoteAddress, int remoteKey) implements ProviderMemoryRegion {
        @Override
        public void close() {}
    }

    @Override
    public ProviderMemoryRegion registerMemory(ByteBuffer buffer, Set<Access> access) {
        return new StubRegion(4096, 1);
    }

    @Override
    public ProviderSharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxSegments) throws RdmaException {
        throw new RdmaException(RdmaError.NOT_SUPPORTED, "the stub shares no receives");
    }

    @Override
    public void close() {}
}
