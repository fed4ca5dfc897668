package org.verbena.rdma.provider.loopback.verbs;

import org.verbena.rdma.spi.ProviderMemoryRegion;

/** What core holds as a region of this provider: the region itself, or something around it. */
public interface RegionHolder extends ProviderMemoryRegion {
    /**
     * Returns the region.
     *
     * @return the region itself
     */
    LoopbackMemoryRegion region();
}
