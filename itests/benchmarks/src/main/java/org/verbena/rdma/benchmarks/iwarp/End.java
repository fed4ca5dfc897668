package org.verbena.rdma.benchmarks.iwarp;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.ReceiveWorkRequest;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.cm.CmId;

/** One end of a connection as a consumer has it, polled by one thread at a time. Posting and polling allocate nothing. */
final class End {
    /**
     * How large it is.
     *
     * @param message bytes of a message
     * @param depth how many requests each queue takes
     */
    record Size(int message, int depth) {}

    private final Size size;
    private final ProtectionDomain domain;
    private final CompletionQueue completionQueue;
    private final WorkCompletions completions;
    private final MemoryRegion region;
    private final SendWorkRequest send;
    private final ReceiveWorkRequest receive;
    private QueuePair queuePair;
    private long peerAddress;
    private int peerKey;
    private int sent;
    private int received;

    End(RdmaDevice device, Size size) throws RdmaException {
        this.size = size;
        domain = device.createProtectionDomain();
        completionQueue = device.createCompletionQueue(2 * size.depth(), null);
        completions = completionQueue.createWorkCompletions(2 * size.depth());
        region = domain.registerMemory(
                ByteBuffer.allocateDirect(size.message()),
                EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ));
        send = domain.createSendWorkRequest(1);
        receive = domain.createReceiveWorkRequest(1);
    }

    void open(CmId id) throws RdmaException {
        queuePair = id.createQueuePair(
                domain, QueuePairConfiguration.reliable(completionQueue).withDepth(size.depth(), size.depth()));
    }

    ByteBuffer advertised() {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(region.remoteAddress())
                .putInt(region.remoteKey())
                .flip();
    }

    void learn(ByteBuffer advertised) {
        peerAddress = advertised.getLong();
        peerKey = advertised.getInt();
    }

    int depth() {
        return size.depth();
    }

    void postReceive() throws RdmaException {
        queuePair.postReceive(receive.clear().segment(region, 0, size.message()));
    }

    void postSend() throws RdmaException {
        queuePair.postSend(send.clear().send().segment(region, 0, size.message()));
    }

    void postWrite() throws RdmaException {
        queuePair.postSend(send.clear().write(peerAddress, peerKey).segment(region, 0, size.message()));
    }

    void postRead() throws RdmaException {
        queuePair.postSend(send.clear().read(peerAddress, peerKey).segment(region, 0, size.message()));
    }

    /** How many requests of the send queue have been done since the last call. */
    int takeSent() {
        int count = sent;
        sent = 0;
        return count;
    }

    /** How many messages have been received since the last call. */
    int takeReceived() {
        int count = received;
        received = 0;
        return count;
    }

    /** Looks once whether something is done. */
    void poll() throws RdmaException {
        int count = completionQueue.poll(completions);
        for (int i = 0; i < count; i++) {
            if (completions.status(i) != WorkCompletionStatus.SUCCESS) {
                throw new IllegalStateException("an operation failed: " + completions.status(i));
            }
            if (completions.operation(i) == WorkCompletionOperation.RECEIVE) {
                received++;
            } else {
                sent++;
            }
        }
    }
}
