package org.verbena.rdma.provider.iwarp.peer;

import java.util.ArrayList;
import java.util.List;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.SendRequest;

/** A work request as a test fills it in; as core's would be, but immutable once posted is up to the test. */
public final class Request implements SendRequest {
    private record Segment(ProviderMemoryRegion region, long offset, long length) {}

    private final long id;
    private final List<Segment> segments = new ArrayList<>();
    private SendOperation operation = SendOperation.SEND;
    private long remoteAddress;
    private int remoteKey;
    private int immediateData;
    private long compareOrAdd;
    private long swap;
    private boolean signaled = true;
    private boolean solicited;
    private boolean fenced;

    public Request(long id) {
        this.id = id;
    }

    public Request segment(ProviderMemoryRegion region, long offset, long length) {
        segments.add(new Segment(region, offset, length));
        return this;
    }

    public Request segment(Memory memory) {
        return segment(memory.region(), 0, memory.size());
    }

    public Request write(long address, int key) {
        return remote(SendOperation.WRITE, address, key);
    }

    public Request read(long address, int key) {
        return remote(SendOperation.READ, address, key);
    }

    public Request invalidate(int key) {
        return remote(SendOperation.SEND_WITH_INVALIDATE, 0, key);
    }

    public Request sendWithImmediate(int data) {
        immediateData = data;
        return remote(SendOperation.SEND_WITH_IMMEDIATE, 0, 0);
    }

    public Request writeWithImmediate(long address, int key, int data) {
        immediateData = data;
        return remote(SendOperation.WRITE_WITH_IMMEDIATE, address, key);
    }

    public Request fetchAndAdd(long address, int key, long addend) {
        compareOrAdd = addend;
        return remote(SendOperation.FETCH_AND_ADD, address, key);
    }

    public Request compareAndSwap(long address, int key, long expected, long replacement) {
        compareOrAdd = expected;
        swap = replacement;
        return remote(SendOperation.COMPARE_AND_SWAP, address, key);
    }

    private Request remote(SendOperation what, long address, int key) {
        operation = what;
        remoteAddress = address;
        remoteKey = key;
        return this;
    }

    public Request unsignaled() {
        signaled = false;
        return this;
    }

    public Request solicited() {
        solicited = true;
        return this;
    }

    public Request fenced() {
        fenced = true;
        return this;
    }

    @Override
    public long workRequestId() {
        return id;
    }

    @Override
    public int segmentCount() {
        return segments.size();
    }

    @Override
    public ProviderMemoryRegion region(int index) {
        return segments.get(index).region();
    }

    @Override
    public long offset(int index) {
        return segments.get(index).offset();
    }

    @Override
    public long length(int index) {
        return segments.get(index).length();
    }

    @Override
    public long totalLength() {
        return segments.stream().mapToLong(Segment::length).sum();
    }

    @Override
    public SendOperation operation() {
        return operation;
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
    public int immediateData() {
        return immediateData;
    }

    @Override
    public long compareOrAdd() {
        return compareOrAdd;
    }

    @Override
    public long swap() {
        return swap;
    }

    @Override
    public boolean isSignaled() {
        return signaled;
    }

    @Override
    public boolean isSolicited() {
        return solicited;
    }

    @Override
    public boolean isFenced() {
        return fenced;
    }

    @Override
    public boolean isInline() {
        return false;
    }
}
