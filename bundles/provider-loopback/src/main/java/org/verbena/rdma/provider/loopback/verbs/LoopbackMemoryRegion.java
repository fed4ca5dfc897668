package org.verbena.rdma.provider.loopback.verbs;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.locks.StampedLock;
import org.verbena.rdma.Access;

/**
 * Registered memory.
 *
 * <p>{@code touching} is held for reading while bytes are moved, and for writing, for ever, once the region is closed: a
 * close waits for the move under way, and nothing is moved afterwards.
 */
public final class LoopbackMemoryRegion implements RegionHolder {
    private final LoopbackProtectionDomain domain;
    private final ByteBuffer buffer;
    private final long remoteAddress;
    private final int remoteKey;
    private final boolean localWrite;
    private final boolean remoteWrite;
    private final boolean remoteRead;
    private final boolean remoteAtomic;
    private final StampedLock touching = new StampedLock();
    private volatile boolean closed;
    private volatile boolean invalidated;

    LoopbackMemoryRegion(
            LoopbackProtectionDomain domain, ByteBuffer buffer, Set<Access> access, long remoteAddress, int remoteKey) {
        this.domain = domain;
        this.buffer = buffer;
        this.remoteAddress = remoteAddress;
        this.remoteKey = remoteKey;
        this.localWrite = access.contains(Access.LOCAL_WRITE);
        this.remoteWrite = access.contains(Access.REMOTE_WRITE);
        this.remoteRead = access.contains(Access.REMOTE_READ);
        this.remoteAtomic = access.contains(Access.REMOTE_ATOMIC);
    }

    @Override
    public LoopbackMemoryRegion region() {
        return this;
    }

    @Override
    public long remoteAddress() {
        return remoteAddress;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    @Override
    public void close() {
        closed = true;
        domain.regions().remove(remoteKey);
        touching.writeLock();
    }

    LoopbackProtectionDomain domain() {
        return domain;
    }

    ByteBuffer buffer() {
        return buffer;
    }

    boolean isLocallyWritable() {
        return localWrite;
    }

    /** Takes the remote rights away, as a peer's send with invalidate asks for. */
    void invalidate() {
        invalidated = true;
    }

    boolean isInvalidated() {
        return invalidated;
    }

    boolean allows(RemoteAccess access) {
        return !invalidated
                && switch (access) {
                    case WRITE -> remoteWrite;
                    case READ -> remoteRead;
                    case ATOMIC -> remoteAtomic;
                };
    }

    /** Returns where an address of the peer's is in the buffer, or -1 if not all of the length lies in the region. */
    int offsetOf(long address, long length) {
        long offset = address - remoteAddress;
        long size = buffer.limit();
        boolean inside = Long.compareUnsigned(offset, size) <= 0 && length <= size - offset;
        return inside ? (int) offset : -1;
    }

    /** Begins to move bytes: returns a stamp for {@link #leave}, or 0 if the region is closed. */
    long enter() {
        return closed ? 0 : touching.tryReadLock();
    }

    void leave(long stamp) {
        touching.unlockRead(stamp);
    }
}
