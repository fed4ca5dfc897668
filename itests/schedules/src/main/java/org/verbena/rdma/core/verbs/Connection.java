package org.verbena.rdma.core.verbs;

import java.nio.ByteBuffer;
import java.util.Set;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.VerbsObject;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.core.guard.Guard;

/** A queue pair with all that it needs, on a device of its own. */
final class Connection {
    static final int REFUSED = 0;
    static final int DONE = 1;
    static final int USED_CLOSED = 2;

    private static final Guard GUARD = new Guard();
    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(64);
    private static final VerbsOwner OWNER = new VerbsOwner() {
        @Override
        public String bundle() {
            return "consumer";
        }

        @Override
        public void ensureOpen() {}
    };

    final MemoryRegion region;
    final QueuePair queuePair;
    private final CompletionQueue completionQueue;
    private final LookingProvider provider = new LookingProvider();
    private final Gate gate = new Gate("device");
    private final VerbsDevice device =
            new VerbsDevice("looking0", provider.device(), GUARD, gate, (owner, task) -> task.run(), () -> {});
    private final SendWorkRequest request;
    private final WorkCompletions completions;

    Connection() {
        try {
            ProtectionDomain domain = device.createProtectionDomain(OWNER, null);
            completionQueue = device.createCompletionQueue(OWNER, null, 16, null);
            completions = completionQueue.createWorkCompletions(1);
            region = domain.registerMemory(MEMORY, Set.of(Access.LOCAL_WRITE));
            queuePair = makeQueuePair(domain);
            request = domain.createSendWorkRequest(1).send().segment(region, 0, 16);
            // What the first post finds out about the request is remembered.
            queuePair.postSend(request);
        } catch (RdmaException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private QueuePair makeQueuePair(ProtectionDomain domain) throws RdmaException {
        GUARD.enter(gate);
        try {
            return device.createQueuePair(
                    OWNER,
                    null,
                    provider.endpoint(),
                    domain,
                    QueuePairConfiguration.reliable(completionQueue),
                    () -> {});
        } finally {
            GUARD.exit();
        }
    }

    int post() {
        try {
            queuePair.postSend(request);
            return outcome();
        } catch (RdmaException refused) {
            return REFUSED;
        }
    }

    int poll() {
        try {
            completionQueue.poll(completions);
            return outcome();
        } catch (RdmaException refused) {
            return REFUSED;
        }
    }

    private int outcome() {
        return provider.hasUsedClosed() ? USED_CLOSED : DONE;
    }

    void close(VerbsObject object) {
        try {
            object.close();
        } catch (RdmaException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    void remove() {
        device.mark();
        device.revoke(never());
        GUARD.shut(gate);
        GUARD.awaitOutside(gate, never());
        device.close();
    }

    void endSession() {
        device.endOwner(OWNER, never());
    }

    private static long never() {
        return System.nanoTime() + Long.MAX_VALUE / 2;
    }
}
