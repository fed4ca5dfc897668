package org.verbena.rdma;

import java.nio.ByteBuffer;
import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Ties memory to queue pairs: a work request may name only regions of the domain of its queue pair, and a peer reaches
 * only regions of the domain that its queue pair is in.
 */
@ProviderType
public interface ProtectionDomain extends VerbsObject {
    /**
     * Registers memory.
     *
     * <p>The region covers the buffer from its position to its limit, as they are now; the position and limit of the
     * caller's buffer are not used or changed afterwards. Until the region is closed or revoked the buffer is kept
     * alive; afterwards neither the peer nor the provider touches it.
     *
     * @param buffer a direct buffer with something remaining; writable if {@code access} has any right to write
     * @param access what may be done to it
     * @return a new region
     * @throws DeviceRemovedException if the device is going or gone
     * @throws IllegalArgumentException if the buffer is not direct, is empty or is read-only with a right to write, or if
     *     a remote right to write or for atomics comes without {@link Access#LOCAL_WRITE}
     * @throws RdmaException if the device refuses, for example for want of memory that it may pin
     */
    MemoryRegion registerMemory(ByteBuffer buffer, Set<Access> access) throws RdmaException;

    /**
     * Makes a shared receive queue.
     *
     * @param maxReceives how many receives it holds, 1 to {@link DeviceAttributes#maxWorkRequests()}
     * @param maxSegments how many segments a receive may have, 1 to {@link DeviceAttributes#maxSegments()}
     * @return a new queue
     * @throws DeviceRemovedException if the device is going or gone
     * @throws RdmaException with {@link RdmaError#NOT_SUPPORTED} if the device has none, or if a limit is reached
     */
    SharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxSegments) throws RdmaException;

    /**
     * Makes a work request for the send queues of this domain. It holds no resource of the device, is meant to be used
     * again and again, and needs no close.
     *
     * @param maxSegments how many segments it can name, 0 to {@link DeviceAttributes#maxSegments()}
     * @return a new request, empty
     */
    SendWorkRequest createSendWorkRequest(int maxSegments);

    /**
     * Makes a work request for the receive queues of this domain; see {@link #createSendWorkRequest(int)}.
     *
     * @param maxSegments how many segments it can name, 0 to {@link DeviceAttributes#maxSegments()}
     * @return a new request, empty
     */
    ReceiveWorkRequest createReceiveWorkRequest(int maxSegments);
}
