package org.verbena.rdma.provider.disni.verbs;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.provider.disni.natives.Outcome;
import org.verbena.rdma.spi.ProviderMemoryRegion;

/** Registered memory. The native side keeps the buffer until the registration has really ended. */
public final class DisniMemoryRegion implements ProviderMemoryRegion {
    private static final Logger LOG = LoggerFactory.getLogger(DisniMemoryRegion.class);

    private final VerbsNatives natives;
    private final long handle;
    private final long address;
    private final int localKey;
    private final int remoteKey;

    DisniMemoryRegion(VerbsNatives natives, long handle, long address, int localKey, int remoteKey) {
        this.natives = natives;
        this.handle = handle;
        this.address = address;
        this.localKey = localKey;
        this.remoteKey = remoteKey;
    }

    int localKey() {
        return localKey;
    }

    @Override
    public long remoteAddress() {
        return address;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    @Override
    public void close() {
        int result = natives.deregisterMemory(handle);
        if (result != 0) {
            LOG.warn(
                    "memory could not be deregistered, its buffer is kept for good: {}",
                    Outcome.error(result).sentence());
        }
    }
}
