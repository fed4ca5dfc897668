package org.verbena.rdma.rping.wire;

import java.nio.ByteBuffer;
import org.verbena.rdma.MemoryRegion;

/**
 * Registered memory.
 *
 * @param bytes the memory; only used with absolute positions
 * @param region what it is registered as
 */
public record PingBuffer(ByteBuffer bytes, MemoryRegion region) {
    /** What the peer must know to reach it. */
    public Advertisement advertisement() {
        return new Advertisement(region.remoteAddress(), region.remoteKey(), region.length());
    }
}
