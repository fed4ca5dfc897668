package org.verbena.rdma.provider.loopback.verbs;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.verbena.rdma.Access;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.spi.ProviderProtectionDomain;

/** A protection domain. */
public final class LoopbackProtectionDomain implements ProviderProtectionDomain {
    private static final int WORD = Long.BYTES;

    private final VerbsDevice device;

    LoopbackProtectionDomain(VerbsDevice device) {
        this.device = device;
    }

    @Override
    public LoopbackMemoryRegion registerMemory(ByteBuffer buffer, Set<Access> access) throws RdmaException {
        device.checkPresent();
        long address = remoteAddress(buffer);
        return regions().add(key -> new LoopbackMemoryRegion(this, buffer, access, address, key));
    }

    @Override
    public LoopbackSharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxSegments) throws RdmaException {
        device.checkPresent();
        return new LoopbackSharedReceiveQueue(new ReceiveQueue(maxReceives, maxSegments));
    }

    /** There is nothing to free. */
    @Override
    public void close() {}

    RegionTable regions() {
        return device.regions();
    }

    /**
     * Any number will do that does not wrap around within the region. An address that can be divided by 8 has to mean
     * memory that can, or atomics would not be.
     */
    private static long remoteAddress(ByteBuffer buffer) {
        long room = WORD + (long) buffer.limit();
        long random = ThreadLocalRandom.current().nextLong() & -WORD;
        long highest = -room & -WORD;
        long base = Long.compareUnsigned(random, highest) > 0 ? highest : random;
        return base + buffer.alignmentOffset(0, WORD);
    }
}
