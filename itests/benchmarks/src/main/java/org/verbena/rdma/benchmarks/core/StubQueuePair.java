package org.verbena.rdma.benchmarks.core;

import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.ReceiveRequest;
import org.verbena.rdma.spi.SendRequest;

/** A queue pair that reads what it is given and forgets it. */
final class StubQueuePair implements ProviderQueuePair {
    private final int number;
    private long seen;

    StubQueuePair(int number) {
        this.number = number;
    }

    /** A number that depends on all that was posted. */
    long seen() {
        return seen;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairState state() {
        return QueuePairState.READY;
    }

    @Override
    public void postSend(SendRequest request) {
        seen += request.operation().ordinal() + request.remoteAddress() + request.remoteKey();
        read(request);
    }

    @Override
    public void postReceive(ReceiveRequest request) {
        read(request);
    }

    private void read(ReceiveRequest request) {
        seen += request.workRequestId();
        for (int i = 0; i < request.segmentCount(); i++) {
            seen += request.region(i).remoteKey() + request.offset(i) + request.length(i);
        }
    }

    @Override
    public void fail() {}

    @Override
    public boolean hasOutstandingWork() {
        return false;
    }

    @Override
    public void close() {}
}
