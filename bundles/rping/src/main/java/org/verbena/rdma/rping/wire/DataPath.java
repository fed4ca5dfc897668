package org.verbena.rdma.rping.wire;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.DeviceRemovedException;
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

/**
 * All that one connection needs to carry pings: protection domain, completion queue and channel, registered buffers,
 * queue pair, and one receive that is always posted. Its flush is how a waiting thread learns that the connection has
 * ended.
 *
 * <p>Used by one thread at a time. Destroy the id before the close.
 */
public final class DataPath implements AutoCloseable {
    /** One receive, and one of each kind of send at most. */
    private static final int OUTSTANDING = 8;

    private static final Duration A_LONG_TIME = Duration.ofHours(1);

    /** What was made, latest first: the order in which to close it. */
    private final Deque<VerbsObject> made = new ArrayDeque<>();

    private final Map<WorkCompletionOperation, Integer> completed = new EnumMap<>(WorkCompletionOperation.class);

    private final RdmaDevice device;
    private final CompletionChannel channel;
    private final CompletionQueue completionQueue;
    private final ProtectionDomain domain;
    private final PingBuffer incoming;
    private final PingBuffer outgoing;
    private final WorkCompletions completions;
    private final SendWorkRequest send;
    private final ReceiveWorkRequest receive;
    private QueuePair queuePair;
    private boolean flushed;

    /** Makes all but the queue pair. */
    public DataPath(RdmaDevice device) throws RdmaException {
        this.device = device;
        try {
            channel = keep(device.createCompletionChannel());
            completionQueue = keep(device.createCompletionQueue(OUTSTANDING, channel));
            domain = keep(device.createProtectionDomain());
            incoming = buffer(Advertisement.LENGTH, EnumSet.of(Access.LOCAL_WRITE));
            outgoing = buffer(Advertisement.LENGTH, EnumSet.noneOf(Access.class));
        } catch (RdmaException | RuntimeException e) {
            close();
            throw e;
        }
        completions = completionQueue.createWorkCompletions(OUTSTANDING);
        send = domain.createSendWorkRequest(1);
        receive = domain.createReceiveWorkRequest(1);
    }

    /** Makes a buffer. */
    public PingBuffer buffer(int size, Set<Access> access) throws RdmaException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(size);
        MemoryRegion region = keep(domain.registerMemory(bytes, access));
        return new PingBuffer(bytes, region);
    }

    /** Makes the queue pair of an id and posts the first receive, so that no message of the peer can come too early. */
    public void open(CmId id) throws RdmaException, ConnectionEndedException {
        queuePair = id.createQueuePair(
                domain, QueuePairConfiguration.reliable(completionQueue).withDepth(OUTSTANDING, 1));
        postReceive();
    }

    /** Sends a message and waits until it is on its way. */
    public void send(Advertisement message) throws RdmaException, PingFailedException, InterruptedException {
        message.write(outgoing.bytes());
        post(WorkCompletionOperation.SEND, send.clear().send(), outgoing, Advertisement.LENGTH);
        await(WorkCompletionOperation.SEND);
    }

    /** Waits for a message of the peer. */
    public Advertisement receive() throws RdmaException, PingFailedException, InterruptedException {
        await(WorkCompletionOperation.RECEIVE);
        Advertisement message = Advertisement.read(incoming.bytes());
        postReceive();
        return message;
    }

    /** Reads the peer's memory. */
    public void read(PingBuffer sink, Advertisement source, int size)
            throws RdmaException, PingFailedException, InterruptedException {
        post(WorkCompletionOperation.READ, send.clear().read(source.address(), source.key()), sink, size);
        await(WorkCompletionOperation.READ);
    }

    /** Writes into the peer's memory. */
    public void write(PingBuffer source, Advertisement sink, int size)
            throws RdmaException, PingFailedException, InterruptedException {
        post(WorkCompletionOperation.WRITE, send.clear().write(sink.address(), sink.key()), source, size);
        await(WorkCompletionOperation.WRITE);
    }

    /**
     * Tells whether the device is being removed. The peer may be told before us, and end the connection before our own
     * event comes; but from the first step of a removal on, nothing can be made on the device.
     */
    public boolean deviceIsGoing() {
        try {
            device.createCompletionChannel().close();
            return false;
        } catch (DeviceRemovedException e) {
            return true;
        } catch (RdmaException e) {
            return false;
        }
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

    private <T extends VerbsObject> T keep(T object) {
        made.push(object);
        return object;
    }

    private void postReceive() throws RdmaException, ConnectionEndedException {
        receive.clear()
                .workRequestId(WorkCompletionOperation.RECEIVE.ordinal())
                .segment(incoming.region(), 0, Advertisement.LENGTH);
        try {
            queuePair.postReceive(receive);
        } catch (RdmaException e) {
            throw endedOr(e, queuePair);
        }
    }

    private void post(WorkCompletionOperation operation, SendWorkRequest request, PingBuffer buffer, int size)
            throws RdmaException, ConnectionEndedException {
        try {
            queuePair.postSend(request.workRequestId(operation.ordinal()).segment(buffer.region(), 0, size));
        } catch (RdmaException e) {
            throw endedOr(e, queuePair);
        }
    }

    /** A call that fails because its object was taken away is one of the ways to learn that the connection has ended. */
    private static RdmaException endedOr(RdmaException failure, VerbsObject object) throws ConnectionEndedException {
        if (failure instanceof DeviceRemovedException || !object.isOpen()) {
            throw new ConnectionEndedException();
        }
        return failure;
    }

    /** Waits for one completion of a kind. Others may come before it: a peer can answer before our send is reported. */
    private void await(WorkCompletionOperation operation)
            throws RdmaException, PingFailedException, InterruptedException {
        while (completed.getOrDefault(operation, 0) == 0) {
            if (flushed) {
                throw new ConnectionEndedException();
            }
            for (int polled = poll(), i = 0; i < polled; i++) {
                take(i);
            }
        }
        completed.merge(operation, -1, Integer::sum);
    }

    private int poll() throws RdmaException, PingFailedException, InterruptedException {
        try {
            while (true) {
                int polled = completionQueue.poll(completions);
                if (polled > 0) {
                    return polled;
                }
                completionQueue.requestNotification(false);
                // What arrived before the request causes no event.
                polled = completionQueue.poll(completions);
                if (polled > 0) {
                    return polled;
                }
                channel.await(A_LONG_TIME);
            }
        } catch (RdmaException e) {
            throw endedOr(e, completionQueue);
        }
    }

    private void take(int index) throws PingFailedException {
        WorkCompletionOperation operation = WorkCompletionOperation.values()[(int) completions.workRequestId(index)];
        WorkCompletionStatus status = completions.status(index);
        if (status == WorkCompletionStatus.FLUSHED) {
            flushed = true;
            return;
        }
        if (status != WorkCompletionStatus.SUCCESS) {
            throw new PingFailedException("the " + words(operation) + " failed: " + words(status));
        }
        if (operation == WorkCompletionOperation.RECEIVE && completions.byteCount(index) != Advertisement.LENGTH) {
            throw new PingFailedException("the peer sent a message of " + completions.byteCount(index)
                    + " bytes instead of " + Advertisement.LENGTH + ": it is no rping");
        }
        completed.merge(operation, 1, Integer::sum);
    }

    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
