package org.verbena.rdma.rping.perf;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.ReceiveWorkRequest;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.VerbsObject;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.rping.wire.ConnectionEndedException;
import org.verbena.rdma.rping.wire.PingFailedException;

/** What one end of a measured connection posts and polls. Used by one thread at a time; allocates nothing meanwhile. */
final class Link implements AutoCloseable {
    /** How often to poll before sleeping: short enough for two ends on one processor. */
    private static final int SPINS = 200;

    /** An address and a key. */
    private static final int ADVERTISED = Long.BYTES + Integer.BYTES;

    private static final Duration LOOK = Duration.ofMillis(100);

    /** How long who serves waits for the next message. */
    static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

    private final Deque<VerbsObject> made = new ArrayDeque<>();
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final ProtectionDomain domain;
    private final MemoryRegion region;
    private final WorkCompletions completions;
    private final SendWorkRequest send;
    private final ReceiveWorkRequest receive;
    private final int size;
    private final int depth;
    private final Duration patience;
    private QueuePair queuePair;
    private int sends;
    private int receives;
    private long quietSince;

    /**
     * Makes what one end needs.
     *
     * @param device the device of the connection
     * @param size how long messages are, in bytes
     * @param depth how many are under way at a time
     * @param patience after how long without a completion to give up
     */
    Link(RdmaDevice device, int size, int depth, Duration patience) throws RdmaException {
        this.size = size;
        this.depth = depth;
        this.patience = patience;
        try {
            channel = keep(device.createCompletionChannel());
            queue = keep(device.createCompletionQueue(2 * depth, channel));
            domain = keep(device.createProtectionDomain());
            region = keep(domain.registerMemory(
                    ByteBuffer.allocateDirect(size), EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE)));
        } catch (RdmaException | RuntimeException | Error e) {
            // An error too: a client asks for so much memory, and maybe there is none left.
            close();
            throw e;
        }
        completions = queue.createWorkCompletions(depth);
        send = domain.createSendWorkRequest(1);
        receive = domain.createReceiveWorkRequest(1);
    }

    private <T extends VerbsObject> T keep(T object) {
        made.push(object);
        return object;
    }

    void open(CmId id) throws RdmaException {
        queuePair = id.createQueuePair(
                domain, QueuePairConfiguration.reliable(queue).withDepth(depth, depth));
    }

    /** Where the peer may write. */
    ByteBuffer advertise() {
        return ByteBuffer.allocate(ADVERTISED)
                .putLong(region.remoteAddress())
                .putInt(region.remoteKey())
                .flip();
    }

    /** What a server has advertised; it may be another program's. */
    static ByteBuffer advertised(ByteBuffer privateData) throws PingFailedException {
        if (privateData.remaining() < ADVERTISED) {
            throw new PingFailedException("the server is none of perf: it does not say where to write");
        }
        return privateData;
    }

    void postReceive() throws RdmaException {
        queuePair.postReceive(receive.clear().segment(region, 0, size));
    }

    void send() throws RdmaException {
        queuePair.postSend(send.clear().send().segment(region, 0, size));
    }

    void write(long address, int key) throws RdmaException {
        queuePair.postSend(send.clear().write(address, key).segment(region, 0, size));
    }

    /** Waits until something was received, and until what was sent before is done. */
    void awaitReceive() throws RdmaException, PingFailedException, InterruptedException {
        while (receives == 0 || sends == 0) {
            poll();
        }
        receives--;
        sends--;
    }

    /** Waits until something was received. */
    void awaitFirstReceive() throws RdmaException, PingFailedException, InterruptedException {
        while (receives == 0) {
            poll();
        }
        receives--;
    }

    /** Waits until something that was sent or written is done, and returns how many are. */
    int awaitSends() throws RdmaException, PingFailedException, InterruptedException {
        while (sends == 0) {
            poll();
        }
        int done = sends;
        sends = 0;
        return done;
    }

    private void poll() throws RdmaException, PingFailedException, InterruptedException {
        for (int i = 0; i < SPINS; i++) {
            if (take(queue.poll(completions))) {
                return;
            }
            Thread.onSpinWait();
        }
        queue.requestNotification(false);
        // What has come before the request causes no event.
        if (!take(queue.poll(completions))) {
            refuseIfQuietForLong();
            channel.await(LOOK);
        }
    }

    private void refuseIfQuietForLong() throws PingFailedException {
        long now = System.nanoTime();
        if (quietSince == 0) {
            quietSince = now;
        } else if (now - quietSince > patience.toNanos()) {
            throw new PingFailedException("the peer has not answered for " + patience.toSeconds() + " s");
        }
    }

    private boolean take(int polled) throws PingFailedException {
        if (polled > 0) {
            quietSince = 0;
        }
        for (int i = 0; i < polled; i++) {
            WorkCompletionStatus status = completions.status(i);
            if (status == WorkCompletionStatus.FLUSHED) {
                throw new ConnectionEndedException();
            }
            if (status != WorkCompletionStatus.SUCCESS) {
                throw new PingFailedException("an operation failed: " + status);
            }
            if (completions.operation(i) == WorkCompletionOperation.RECEIVE) {
                receives++;
            } else {
                sends++;
            }
        }
        return polled > 0;
    }

    @Override
    public void close() {
        while (!made.isEmpty()) {
            try {
                made.pop().close();
            } catch (RdmaException e) {
                // It is closed all the same, says VerbsObject, and nobody could do anything about the error.
            }
        }
    }
}
