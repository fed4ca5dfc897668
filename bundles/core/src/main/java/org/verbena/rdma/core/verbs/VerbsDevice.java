package org.verbena.rdma.core.verbs;

import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.ProviderDevice;

/** All verbs objects that were made on a device in one period of use. */
public final class VerbsDevice {
    public VerbsDevice(
            String name,
            ProviderDevice provider,
            Guard guard,
            Gate deviceGate,
            BiConsumer<VerbsOwner, Runnable> dispatcher,
            Runnable changed) {}

    public ProtectionDomain createProtectionDomain(VerbsOwner owner, RdmaDevice view) throws RdmaException {
        throw new UnsupportedOperationException("follows");
    }

    public CompletionChannel createCompletionChannel(VerbsOwner owner, RdmaDevice view) throws RdmaException {
        throw new UnsupportedOperationException("follows");
    }

    public CompletionQueue createCompletionQueue(
            VerbsOwner owner, RdmaDevice view, int entries, CompletionChannel channel) throws RdmaException {
        throw new UnsupportedOperationException("follows");
    }

    /** Called inside the device gate. {@code closed} runs once, without locks, when the provider's queue pair is closed. */
    public QueuePair createQueuePair(
            VerbsOwner owner,
            RdmaDevice view,
            Endpoint endpoint,
            ProtectionDomain domain,
            QueuePairConfiguration configuration,
            Runnable closed)
            throws RdmaException {
        throw new UnsupportedOperationException("follows");
    }

    /** By the id, whatever the state; returns when the provider's queue pair is closed, or is left to the removal. */
    public void destroyQueuePair(QueuePair queuePair) {
        throw new UnsupportedOperationException("follows");
    }

    /** Whether work may be outstanding: something was posted, and it is not in ERROR. For who is to blame. */
    public boolean mayHaveWork(QueuePair queuePair) {
        throw new UnsupportedOperationException("follows");
    }

    /** Step 1. */
    public void mark() {}

    public boolean hasQueuePairs() {
        return false;
    }

    public int openObjects() {
        return 0;
    }

    public Map<String, Integer> countsByKind() {
        return Map.of();
    }

    public Map<VerbsOwner, Integer> countsByOwner() {
        return Map.of();
    }

    /** Step 5, as often as wanted. Calls the provider; gives up on objects that a thread is inside of at the deadline. */
    public void closeUnused(long deadlineNanos) {}

    /** Step 6. Calls the provider; a hang of fail() or poll() hangs it: abandon() may be called on another thread. */
    public Set<VerbsOwner> revoke(long deadlineNanos) {
        return Set.of();
    }

    /** Step 8, when the device gate is shut and no thread is inside. */
    public void close() {}

    /** Instead of close(); may be called while close() or revoke() hangs on another thread. */
    public void abandon() {}

    /** C12. Gives up waiting for threads inside the provider at the deadline. */
    public void endOwner(VerbsOwner owner, long deadlineNanos) {}
}
