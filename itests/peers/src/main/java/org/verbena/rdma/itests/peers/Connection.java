// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.ReceiveWorkRequest;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.VerbsObject;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.cm.CmId;

/**
 * A connection's queue pair with memory for what it sends, what it receives, and what the peer reads and writes. Used by
 * one thread at a time.
 */
final class Connection implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CmId id;
    private final long size;
    private final boolean polls;
    private final Deque<VerbsObject> made = new ArrayDeque<>();
    private final Map<WorkCompletionOperation, Integer> completed = new EnumMap<>(WorkCompletionOperation.class);
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final WorkCompletions completions;
    private final QueuePair queuePair;
    private final SendWorkRequest send;
    private final ReceiveWorkRequest receive;
    private final Memory outgoing;
    private final Memory incoming;
    private final Memory exposed;
    private long received;

    /** A buffer and its registration. */
    record Memory(ByteBuffer bytes, MemoryRegion region) {}

    /**
     * Makes it, with all of its receives posted.
     *
     * @param messages how many messages may be outstanding each way
     * @param size the greatest size of a message, in bytes
     */
    Connection(CmId id, int messages, int size) throws RdmaException {
        this(id, messages, size, false);
    }

    /**
     * The same.
     *
     * @param polls whether to poll without pause for completions, instead of waiting to be notified
     */
    Connection(CmId id, int messages, int size, boolean polls) throws RdmaException {
        this.id = id;
        this.size = size;
        this.polls = polls;
        int depth = Math.max(messages, 1);
        try {
            channel = keep(id.device().createCompletionChannel());
            queue = keep(id.device().createCompletionQueue(2 * depth + 1, channel));
            ProtectionDomain domain = keep(id.device().createProtectionDomain());
            outgoing = memory(domain, size, EnumSet.noneOf(Access.class));
            incoming = memory(domain, size, EnumSet.of(Access.LOCAL_WRITE));
            exposed = memory(domain, size, EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE));
            completions = queue.createWorkCompletions(2 * depth);
            send = domain.createSendWorkRequest(1);
            receive = domain.createReceiveWorkRequest(1);
            queuePair = id.createQueuePair(
                    domain, QueuePairConfiguration.reliable(queue).withDepth(depth + 1, depth));
            for (int i = 0; i < messages; i++) {
                postReceive();
            }
        } catch (RdmaException | RuntimeException e) {
            close();
            throw e;
        }
    }

    CmId id() {
        return id;
    }

    ByteBuffer outgoing() {
        return outgoing.bytes();
    }

    ByteBuffer incoming() {
        return incoming.bytes();
    }

    /** What the peer may read and write. */
    Memory exposed() {
        return exposed;
    }

    void postReceive() throws RdmaException {
        queuePair.postReceive(receive.clear().segment(incoming.region(), 0, size));
    }

    void send(int length) throws RdmaException {
        queuePair.postSend(send.clear().send().segment(outgoing.region(), 0, length));
    }

    void write(long address, int key, int length) throws RdmaException {
        queuePair.postSend(send.clear().write(address, key).segment(outgoing.region(), 0, length));
    }

    /** Reads the peer's memory into the exposed region. */
    void read(long address, int key, int length) throws RdmaException {
        queuePair.postSend(send.clear().read(address, key).segment(exposed.region(), 0, length));
    }

    /** The length of the message that was received last. */
    long received() {
        return received;
    }

    /** Waits until so many operations of a kind have been completed since the last such wait. */
    void await(WorkCompletionOperation operation, int count)
            throws RdmaException, PeerFailedException, InterruptedException {
        while (completed.getOrDefault(operation, 0) < count) {
            int polled = polls ? poll() : pollOrWait();
            if (polled < 0) {
                throw new PeerFailedException("nothing was completed for " + PATIENCE.toSeconds() + " s, "
                        + completed.getOrDefault(operation, 0) + " of " + count + " " + operation + " were");
            }
            for (int i = 0; i < polled; i++) {
                take(i);
            }
        }
        completed.merge(operation, -count, Integer::sum);
    }

    /** What was completed; less than nothing if that took too long. */
    private int poll() throws RdmaException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        int polled;
        do {
            polled = queue.poll(completions);
            if (polled == 0 && System.nanoTime() > end) {
                return -1;
            }
        } while (polled == 0);
        return polled;
    }

    private int pollOrWait() throws RdmaException, InterruptedException {
        int polled = queue.poll(completions);
        if (polled == 0) {
            queue.requestNotification(false);
            polled = queue.poll(completions);
        }
        return polled == 0 && channel.await(PATIENCE) == null ? -1 : polled;
    }

    @Override
    public void close() {
        id.destroy();
        while (!made.isEmpty()) {
            try {
                made.pop().close();
            } catch (RdmaException e) {
                // It is closed all the same, and the connection is over.
            }
        }
    }

    private void take(int index) throws PeerFailedException {
        WorkCompletionOperation operation = completions.operation(index);
        if (completions.status(index) != WorkCompletionStatus.SUCCESS) {
            throw new PeerFailedException(operation + " ended with " + completions.status(index));
        }
        if (operation == WorkCompletionOperation.RECEIVE) {
            received = completions.byteCount(index);
        }
        completed.merge(operation, 1, Integer::sum);
    }

    private Memory memory(ProtectionDomain domain, int size, EnumSet<Access> access) throws RdmaException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(Math.max(size, 1));
        return new Memory(bytes, keep(domain.registerMemory(bytes, access)));
    }

    private <T extends VerbsObject> T keep(T object) {
        made.push(object);
        return object;
    }
}
