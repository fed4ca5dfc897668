package org.verbena.rdma.provider.iwarp.peer;

import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.WorkCompletions;

/** Stands where a configuration must have core's queue, which a provider must not use. */
final class NoCompletionQueue implements CompletionQueue {
    private static AssertionError used() {
        return new AssertionError("a provider uses its own queues, not those of the configuration");
    }

    @Override
    public int entries() {
        throw used();
    }

    @Override
    public WorkCompletions createWorkCompletions(int capacity) {
        throw used();
    }

    @Override
    public int poll(WorkCompletions into) {
        throw used();
    }

    @Override
    public void requestNotification(boolean solicitedOnly) {
        throw used();
    }

    @Override
    public RdmaDevice device() {
        throw used();
    }

    @Override
    public boolean isOpen() {
        throw used();
    }

    @Override
    public void close() {
        throw used();
    }

    @Override
    public void onRevoked(Runnable listener) {
        throw used();
    }
}
