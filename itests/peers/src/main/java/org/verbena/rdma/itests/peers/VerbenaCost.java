// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.ReceiveWorkRequest;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;

/** An end by Verbena. */
final class VerbenaCost extends CostEnd {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(10);

    private final CmId id;
    private final ProtectionDomain domain;
    private final QueuePair queuePair;
    private final CompletionQueue queue;
    private final WorkCompletions completions;
    private final MemoryRegion region;
    private final SendWorkRequest send;
    private final ReceiveWorkRequest receive;
    private VerbenaCost peer;

    private VerbenaCost(CmId id) throws RdmaException {
        this.id = id;
        domain = id.device().createProtectionDomain();
        queue = id.device().createCompletionQueue(4 * DEPTH, null);
        completions = queue.createWorkCompletions(DEPTH);
        region = domain.registerMemory(
                ByteBuffer.allocateDirect(WRITE), EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        send = domain.createSendWorkRequest(1);
        receive = domain.createReceiveWorkRequest(1);
        queuePair = id.createQueuePair(
                domain, QueuePairConfiguration.reliable(queue).withDepth(2 * DEPTH, DEPTH));
        postReceive();
    }

    /** Connects two ends over the device that has this address. */
    static CostLoops connect(ConnectionManager connectionManager, InetSocketAddress server)
            throws RdmaException, PeerFailedException, InterruptedException {
        Events served = new Events();
        Events events = new Events();
        CmId listener = connectionManager.createId(PortSpace.TCP, served);
        listener.bindAddress(server);
        listener.listen(1);
        CmId id = connectionManager.createId(PortSpace.TCP, events);
        id.resolveAddress(null, server, RESOLVE_TIMEOUT);
        events.take(CmEventType.ADDR_RESOLVED);
        id.resolveRoute(RESOLVE_TIMEOUT);
        events.take(CmEventType.ROUTE_RESOLVED);
        VerbenaCost client = new VerbenaCost(id);
        id.connect(ConnectionParameters.defaults());
        CmId child = served.take(CmEventType.CONNECT_REQUEST).id();
        VerbenaCost accepting = new VerbenaCost(child);
        child.accept(ConnectionParameters.defaults());
        events.take(CmEventType.ESTABLISHED);
        served.take(CmEventType.ESTABLISHED);
        listener.destroy();
        client.peer = accepting;
        accepting.peer = client;
        return new CostLoops(client, accepting);
    }

    @Override
    void postReceive() throws RdmaException {
        queuePair.postReceive(receive.clear().segment(region, 0, MESSAGE));
    }

    @Override
    void send() throws RdmaException {
        queuePair.postSend(send.clear().send().segment(region, 0, MESSAGE));
    }

    @Override
    void write() throws RdmaException {
        queuePair.postSend(send.clear()
                .write(peer.region.remoteAddress(), peer.region.remoteKey())
                .segment(region, 0, WRITE));
    }

    @Override
    void poll() throws IOException {
        int polled = queue.poll(completions);
        for (int i = 0; i < polled; i++) {
            completed(
                    completions.operation(i) == WorkCompletionOperation.RECEIVE,
                    completions.status(i) == WorkCompletionStatus.SUCCESS);
        }
    }

    @Override
    public void close() throws RdmaException {
        id.disconnect();
        id.destroy();
        region.close();
        queue.close();
        domain.close();
    }
}
