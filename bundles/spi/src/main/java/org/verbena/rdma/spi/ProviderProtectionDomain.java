package org.verbena.rdma.spi;

import java.nio.ByteBuffer;
import java.util.Set;
import org.osgi.annotation.versioning.ConsumerType;
import org.verbena.rdma.Access;
import org.verbena.rdma.RdmaException;

/** A protection domain of a provider. */
@ConsumerType
public interface ProviderProtectionDomain {
    /**
     * Registers memory.
     *
     * @param buffer a direct buffer of core's own; all of it from position 0 to its limit, in big-endian order. Core
     *     keeps it alive until the region is closed.
     * @param access what may be done to it
     * @return a new region
     * @throws RdmaException if the device refuses
     */
    ProviderMemoryRegion registerMemory(ByteBuffer buffer, Set<Access> access) throws RdmaException;

    /**
     * Makes a shared receive queue. Called only where the device offers it.
     *
     * @param maxReceives how many receives it holds
     * @param maxSegments how many segments a receive may have
     * @return a new queue
     * @throws RdmaException if the device refuses
     */
    ProviderSharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxSegments) throws RdmaException;

    /** Frees the domain. */
    void close();
}
