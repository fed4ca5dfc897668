// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.traffic;

import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
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
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.cm.CmId;

/** The verbs objects of one connection: messages of eight bytes, one at a time in each direction. */
final class Link {
    private static final int MESSAGE = Long.BYTES;
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final ProtectionDomain domain;
    private final CompletionChannel channel;
    private final CompletionQueue completions;
    private final WorkCompletions polled;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(2 * MESSAGE);
    private final MemoryRegion region;
    private final QueuePair queuePair;

    /** Makes the queue pair of an id, and posts a receive. */
    Link(CmId id) throws RdmaException {
        RdmaDevice device = id.device();
        domain = device.createProtectionDomain();
        channel = device.createCompletionChannel();
        completions = device.createCompletionQueue(16, channel);
        polled = completions.createWorkCompletions(4);
        region = domain.registerMemory(memory, Set.of(Access.LOCAL_WRITE));
        queuePair = id.createQueuePair(domain, QueuePairConfiguration.reliable(completions));
        postReceive();
    }

    void send(long value) throws RdmaException {
        memory.putLong(0, value);
        queuePair.postSend(domain.createSendWorkRequest(1)
                .send()
                .segment(region, 0, MESSAGE)
                .signaled(true));
    }

    private void postReceive() throws RdmaException {
        queuePair.postReceive(domain.createReceiveWorkRequest(1).segment(region, MESSAGE, MESSAGE));
    }

    /** Waits for a message; the end of the connection ends the waiting, as does an interrupt. */
    long receive() throws RdmaException, InterruptedIOException {
        Long value = take();
        while (value == null) {
            completions.requestNotification(false);
            value = take();
            if (value == null) {
                await();
                value = take();
            }
        }
        postReceive();
        return value;
    }

    private void await() throws RdmaException, InterruptedIOException {
        try {
            channel.await(PATIENCE);
        } catch (InterruptedException stopped) {
            throw new InterruptedIOException("told to stop");
        }
    }

    private Long take() throws RdmaException {
        Long value = null;
        completions.poll(polled);
        for (int index = 0; index < polled.count(); index++) {
            if (polled.status(index) != WorkCompletionStatus.SUCCESS) {
                throw new RdmaException(RdmaError.CONNECTION_RESET, "completed as " + polled.status(index));
            }
            if (polled.operation(index) == WorkCompletionOperation.RECEIVE) {
                value = memory.getLong(MESSAGE);
            }
        }
        return value;
    }

    /** Frees what is left when the id is destroyed. */
    void close() {
        for (AutoCloseable part : new AutoCloseable[] {region, domain, completions, channel}) {
            try {
                part.close();
            } catch (Exception gone) {
                return;
            }
        }
    }
}
