package org.verbena.rdma.core.verbs;

import java.util.Objects;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.spi.CompletionSink;

/** What a poll has taken, put here by the provider and read by the consumer. For one thread at a time. */
final class PolledCompletions implements WorkCompletions, CompletionSink {
    private final CompletionTable table;
    private final int capacity;
    private int count;

    PolledCompletions(int capacity) {
        this.capacity = capacity;
        table = new CompletionTable(capacity);
    }

    /** Finds what a consumer hands in. */
    static PolledCompletions of(WorkCompletions completions) {
        if (completions instanceof PolledCompletions polled) {
            return polled;
        }
        Objects.requireNonNull(completions, "into");
        throw new IllegalArgumentException("the completions were not made by CompletionQueue.createWorkCompletions");
    }

    void clear() {
        count = 0;
    }

    boolean isFull() {
        return count == capacity;
    }

    /** Adds a completion of another table. */
    void add(CompletionTable source, int index) {
        source.copy(index, table, count);
        count++;
    }

    @Override
    public void completion(
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOperation operation,
            long byteCount,
            int queuePairNumber,
            int flags,
            int keyOrImmediate,
            int vendorError) {
        if (count == capacity) {
            throw new IllegalStateException("more completions than the " + capacity + " that were asked for");
        }
        table.put(
                count,
                workRequestId,
                status,
                operation,
                byteCount,
                queuePairNumber,
                flags,
                keyOrImmediate,
                vendorError);
        count++;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public long workRequestId(int index) {
        return table.workRequestId(Objects.checkIndex(index, count));
    }

    @Override
    public WorkCompletionStatus status(int index) {
        return table.status(Objects.checkIndex(index, count));
    }

    @Override
    public WorkCompletionOperation operation(int index) {
        return table.operation(Objects.checkIndex(index, count));
    }

    @Override
    public long byteCount(int index) {
        return table.byteCount(Objects.checkIndex(index, count));
    }

    @Override
    public int queuePairNumber(int index) {
        return table.queuePairNumber(Objects.checkIndex(index, count));
    }

    @Override
    public boolean hasImmediateData(int index) {
        return table.hasFlag(Objects.checkIndex(index, count), IMMEDIATE_DATA);
    }

    @Override
    public int immediateData(int index) {
        return hasImmediateData(index) ? table.keyOrImmediate(index) : 0;
    }

    @Override
    public int invalidatedKey(int index) {
        return table.hasFlag(Objects.checkIndex(index, count), INVALIDATED) ? table.keyOrImmediate(index) : 0;
    }

    @Override
    public int vendorError(int index) {
        return table.vendorError(Objects.checkIndex(index, count));
    }
}
