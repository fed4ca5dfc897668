package org.verbena.rdma.provider.disni.verbs;

import java.nio.ByteBuffer;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.Access;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.disni.natives.Outcome;
import org.verbena.rdma.spi.ProviderProtectionDomain;

/** A protection domain. */
public final class DisniProtectionDomain implements ProviderProtectionDomain {
    private static final Logger LOG = LoggerFactory.getLogger(DisniProtectionDomain.class);

    private final VerbsResources resources;
    private final long handle;

    DisniProtectionDomain(VerbsResources resources, long handle) {
        this.resources = resources;
        this.handle = handle;
    }

    long handle() {
        return handle;
    }

    @Override
    public DisniMemoryRegion registerMemory(ByteBuffer buffer, Set<Access> access) throws RdmaException {
        int[] keys = new int[2];
        long region = Outcome.check(
                resources.natives().registerMemory(handle, buffer, buffer.limit(), NativeNumbers.access(access), keys),
                "registering " + buffer.limit() + " bytes");
        return new DisniMemoryRegion(
                resources.natives(), region, resources.natives().address(buffer), keys[0], keys[1]);
    }

    @Override
    public DisniSharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxSegments) throws RdmaException {
        return DisniSharedReceiveQueue.create(resources, handle, maxReceives, maxSegments);
    }

    @Override
    public void close() {
        int result = resources.natives().freeDomain(handle);
        if (result != 0) {
            LOG.warn(
                    "a protection domain could not be freed: {}",
                    Outcome.error(result).sentence());
        }
    }
}
