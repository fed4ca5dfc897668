package org.verbena.rdma.provider.loopback.fake;

import java.util.ArrayList;
import java.util.List;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.SendRequest;

/** A work request as core hands it over. */
public final class Work implements SendRequest {
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
    private boolean inline;

    private Work(long id) {
        this.id = id;
    }

    public static Work receive(long id) {
        return new Work(id);
    }

    public static Work send(long id) {
        return new Work(id);
    }

    public static Work sendWithImmediate(long id, int data) {
        Work work = new Work(id);
        work.operation = SendOperation.SEND_WITH_IMMEDIATE;
        work.immediateData = data;
        return work;
    }

    public static Work sendWithInvalidate(long id, int key) {
        Work work = new Work(id);
        work.operation = SendOperation.SEND_WITH_INVALIDATE;
        work.remoteKey = key;
        return work;
    }

    public static Work write(long id, long address, int key) {
        return remote(id, SendOperation.WRITE, address, key);
    }

    public static Work writeWithImmediate(long id, long address, int key, int data) {
        Work work = remote(id, SendOperation.WRITE_WITH_IMMEDIATE, address, key);
        work.immediateData = data;
        return work;
    }

    public static Work read(long id, long address, int key) {
        return remote(id, SendOperation.READ, address, key);
    }

    public static Work fetchAndAdd(long id, long address, int key, long addend) {
        Work work = remote(id, SendOperation.FETCH_AND_ADD, address, key);
        work.compareOrAdd = addend;
        return work;
    }

    public static Work compareAndSwap(long id, long address, int key, long expected, long replacement) {
        Work work = remote(id, SendOperation.COMPARE_AND_SWAP, address, key);
        work.compareOrAdd = expected;
        work.swap = replacement;
        return work;
    }

    private static Work remote(long id, SendOperation operation, long address, int key) {
        Work work = new Work(id);
        work.operation = operation;
        work.remoteAddress = address;
        work.remoteKey = key;
        return work;
    }

    public Work segment(ProviderMemoryRegion region, long offset, long length) {
        segments.add(new Segment(region, offset, length));
        return this;
    }

    public Work unsignaled() {
        signaled = false;
        return this;
    }

    public Work solicited() {
        solicited = true;
        return this;
    }

    public Work inline() {
        inline = true;
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
        long sum = 0;
        for (int index = 0; index < segments.size(); index++) {
            sum += segments.get(index).length();
        }
        return sum;
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
        return false;
    }

    @Override
    public boolean isInline() {
        return inline;
    }
}
