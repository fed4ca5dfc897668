package org.verbena.rdma.benchmarks.core;

import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.ProviderCompletionQueue;

/** A completion queue that never gets empty: each poll takes one completion, until it is closed. */
final class StubCompletionQueue implements ProviderCompletionQueue {
    private final int entries;
    private long number;

    StubCompletionQueue(int entries) {
        this.entries = entries;
    }

    @Override
    public int entries() {
        return entries;
    }

    @Override
    public int poll(CompletionSink sink, int max) {
        sink.completion(++number, WorkCompletionStatus.SUCCESS, WorkCompletionOperation.SEND, 64, 1, 0, 0, 0);
        return 1;
    }

    @Override
    public void requestNotification(boolean solicitedOnly) {}

    @Override
    public void close() {}
}
