// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.traffic;

import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.VerbsObject;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.cm.CmId;

/**
 * The verbs objects of one connection, and the ping of RDMA over it: one end says where its data is, the other one reads
 * it from there, writes its own in its place, and says so. Both ends check what they find.
 */
final class Link {
    static final int MAX_DATA = 2048;
    private static final int MESSAGE = 3 * Long.BYTES;
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final Deque<VerbsObject> made = new ArrayDeque<>();
    private final Map<WorkCompletionOperation, Integer> completed = new EnumMap<>(WorkCompletionOperation.class);
    private final ByteBuffer messages = ByteBuffer.allocateDirect(2 * MESSAGE);
    private final ByteBuffer data = ByteBuffer.allocateDirect(MAX_DATA);
    private final ProtectionDomain domain;
    private final CompletionChannel channel;
    private final CompletionQueue completions;
    private final WorkCompletions polled;
    private final MemoryRegion messageRegion;
    private final MemoryRegion dataRegion;
    private final QueuePair queuePair;

    /** Where data is at the peer. */
    private record Message(long number, long address, int key, int length) {}

    /** Makes the queue pair of an id, and posts a receive. */
    Link(CmId id) throws RdmaException {
        RdmaDevice device = id.device();
        try {
            channel = keep(device.createCompletionChannel());
            completions = keep(device.createCompletionQueue(64, channel));
            polled = completions.createWorkCompletions(8);
            domain = keep(device.createProtectionDomain());
            messageRegion = keep(domain.registerMemory(messages, Set.of(Access.LOCAL_WRITE)));
            dataRegion = keep(domain.registerMemory(
                    data, EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE)));
            queuePair = keep(id.createQueuePair(domain, QueuePairConfiguration.reliable(completions)));
            postReceive();
        } catch (RdmaException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    private <T extends VerbsObject> T keep(T object) {
        made.push(object);
        return object;
    }

    /** Pings the peer; tells whether the right answer is there. */
    boolean ping(long number, int length) throws RdmaException, InterruptedIOException {
        fill(number, length);
        send(new Message(number, dataRegion.remoteAddress(), dataRegion.remoteKey(), length));
        return receive().number() == -number && holds(-number, length);
    }

    /** Waits for a ping and answers it; tells whether the right data was there. */
    boolean answer() throws RdmaException, InterruptedIOException {
        Message ping = receive();
        post(request().read(ping.address(), ping.key()), dataRegion, 0, ping.length());
        await(WorkCompletionOperation.READ);
        boolean right = holds(ping.number(), ping.length());
        fill(-ping.number(), ping.length());
        post(request().write(ping.address(), ping.key()), dataRegion, 0, ping.length());
        await(WorkCompletionOperation.WRITE);
        send(new Message(-ping.number(), 0, 0, 0));
        return right;
    }

    private void fill(long number, int length) {
        for (int index = 0; index < length; index++) {
            data.put(index, pattern(number, index));
        }
    }

    private boolean holds(long number, int length) {
        for (int index = 0; index < length; index++) {
            if (data.get(index) != pattern(number, index)) {
                return false;
            }
        }
        return true;
    }

    private static byte pattern(long number, int index) {
        return (byte) (number * 31 + index * 7L + (index >> 8));
    }

    private SendWorkRequest request() {
        return domain.createSendWorkRequest(1).signaled(true);
    }

    private void post(SendWorkRequest request, MemoryRegion region, long offset, int length) throws RdmaException {
        queuePair.postSend(request.segment(region, offset, length));
    }

    private void send(Message message) throws RdmaException, InterruptedIOException {
        messages.putLong(0, message.number()).putLong(8, message.address());
        messages.putInt(16, message.key()).putInt(20, message.length());
        post(request().send(), messageRegion, 0, MESSAGE);
        await(WorkCompletionOperation.SEND);
    }

    private void postReceive() throws RdmaException {
        queuePair.postReceive(domain.createReceiveWorkRequest(1).segment(messageRegion, MESSAGE, MESSAGE));
    }

    private Message receive() throws RdmaException, InterruptedIOException {
        await(WorkCompletionOperation.RECEIVE);
        Message message = new Message(
                messages.getLong(MESSAGE),
                messages.getLong(MESSAGE + 8),
                messages.getInt(MESSAGE + 16),
                messages.getInt(MESSAGE + 20));
        postReceive();
        return message;
    }

    /** Waits for one completion of a kind; the end of the connection ends the waiting, as does an interrupt. */
    private void await(WorkCompletionOperation operation) throws RdmaException, InterruptedIOException {
        while (completed.getOrDefault(operation, 0) == 0) {
            if (take() == 0) {
                completions.requestNotification(false);
                if (take() == 0) {
                    awaitEvent();
                }
            }
        }
        completed.merge(operation, -1, Integer::sum);
    }

    private void awaitEvent() throws RdmaException, InterruptedIOException {
        try {
            channel.await(PATIENCE);
        } catch (InterruptedException stopped) {
            throw new InterruptedIOException("told to stop");
        }
    }

    private int take() throws RdmaException {
        int count = completions.poll(polled);
        for (int index = 0; index < count; index++) {
            if (polled.status(index) != WorkCompletionStatus.SUCCESS) {
                throw new RdmaException(RdmaError.CONNECTION_RESET, "completed as " + polled.status(index));
            }
            completed.merge(polled.operation(index), 1, Integer::sum);
        }
        return count;
    }

    /** Frees everything, when the id is destroyed or the queue pair was never made. */
    void close() {
        while (!made.isEmpty()) {
            try {
                made.pop().close();
            } catch (RdmaException failed) {
                // It is closed all the same, says VerbsObject.
                continue;
            }
        }
    }
}
