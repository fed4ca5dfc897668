package org.verbena.rdma.itests.fuzz;

import org.verbena.rdma.SendOperation;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.SendRequest;

/** A work request of the consumer, as core would hand it over: its one segment lies in its region. */
final class Work implements SendRequest {
    private final long id;
    private final SendOperation operation;
    private final int remoteKey;
    private final int flags;
    private ProviderMemoryRegion region;
    private int offset;
    private int length;

    Work(long id, SendOperation operation, int remoteKey, int flags) {
        this.id = id;
        this.operation = operation;
        this.remoteKey = remoteKey;
        this.flags = flags;
    }

    Work segment(GuardedMemory memory, int at, int bytes) {
        region = memory.region();
        offset = Math.min(at, memory.size() - Long.BYTES);
        length = Math.min(bytes, memory.size() - offset);
        return this;
    }

    @Override
    public long workRequestId() {
        return id;
    }

    @Override
    public int segmentCount() {
        return 1;
    }

    @Override
    public ProviderMemoryRegion region(int index) {
        return region;
    }

    @Override
    public long offset(int index) {
        return offset;
    }

    @Override
    public long length(int index) {
        return length;
    }

    @Override
    public long totalLength() {
        return length;
    }

    @Override
    public SendOperation operation() {
        return operation;
    }

    @Override
    public long remoteAddress() {
        return (long) flags << 3;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    @Override
    public int immediateData() {
        return flags;
    }

    @Override
    public long compareOrAdd() {
        return flags;
    }

    @Override
    public long swap() {
        return remoteKey;
    }

    @Override
    public boolean isSignaled() {
        return true;
    }

    @Override
    public boolean isSolicited() {
        return (flags & 1) != 0;
    }

    @Override
    public boolean isFenced() {
        return (flags & 2) != 0;
    }

    @Override
    public boolean isInline() {
        return false;
    }
}
