package org.verbena.rdma.examples.mirror;

import java.nio.ByteBuffer;
import java.util.Set;
import org.verbena.rdma.Access;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderProtectionDomain;

/**
 * Registered memory. Its remote addresses begin at the key, moved up by 32 bits, so no two regions share one. Whether it is
 * closed is guarded by the lock of the device; call what looks at it with the lock.
 */
final class MirrorRegion implements ProviderMemoryRegion {
    private final MirrorDevice device;
    private final ProviderProtectionDomain domain;
    private final int key;
    private final ByteBuffer buffer;
    private final Set<Access> access;
    private boolean closed;

    MirrorRegion(MirrorDevice device, ProviderProtectionDomain domain, int key, ByteBuffer buffer, Set<Access> access) {
        this.device = device;
        this.domain = domain;
        this.key = key;
        this.buffer = buffer;
        this.access = Set.copyOf(access);
    }

    @Override
    public long remoteAddress() {
        return (long) key << Integer.SIZE;
    }

    @Override
    public int remoteKey() {
        return key;
    }

    /**
     * All copying is done with the lock, and looks first: when this has the lock, nothing touches the buffer, and nothing
     * will, not even for a receive that was posted before.
     */
    @Override
    public void close() {
        synchronized (device.lock) {
            closed = true;
            device.forget(this);
        }
    }

    ByteBuffer buffer() {
        return buffer;
    }

    boolean allows(Access wanted) {
        return !closed && access.contains(wanted);
    }

    /** Tells whether a peer whose queue pair is in a domain may do something there. The peer is not trusted. */
    boolean allows(Access wanted, ProviderProtectionDomain by, long address, long length) {
        long offset = address - remoteAddress();
        return by == domain && allows(wanted) && offset >= 0 && length <= buffer.limit() - offset;
    }
}
