// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;

/**
 * Moves messages of each of some sizes by send, write and read over one connection, and verifies every byte at both
 * ends. Each end tells the other where it may read and write in the private data.
 *
 * <p>For each size the client writes the message into the server's memory and sends it. The server finds it twice, puts
 * another one into its memory, and sends that. The client receives it, and reads it.
 */
final class Transfer {
    /** From one byte to 8 MiB, with the neighbours of what fits into segments of common sizes. */
    static final List<Integer> SIZES = List.of(
            1,
            2,
            3,
            4,
            7,
            8,
            64,
            1000,
            1024,
            1427,
            1428,
            1429,
            1439,
            1440,
            1441,
            4096,
            65535,
            65536,
            65537,
            1 << 20,
            (1 << 20) + 1,
            8 << 20);

    private static final int GREATEST = 8 << 20;

    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(10);

    private final ConnectionManager connectionManager;
    private final PrintStream out;
    private final boolean polls;
    private final boolean trespasses;
    private final Events events = new Events();

    private long peerAddress;
    private int peerKey;

    /**
     * Makes one end.
     *
     * @param polls whether to poll without pause
     * @param trespasses whether the client, instead of disconnecting, writes where it may not, which ends the connection
     */
    Transfer(ConnectionManager connectionManager, PrintStream out, boolean polls, boolean trespasses) {
        this.connectionManager = connectionManager;
        this.out = out;
        this.polls = polls;
        this.trespasses = trespasses;
    }

    /** Serves one client to its end. */
    void serve(InetSocketAddress address) throws RdmaException, PeerFailedException, InterruptedException {
        CmId listener = connectionManager.createId(PortSpace.TCP, events);
        try {
            listener.bindAddress(address);
            listener.listen(1);
            CmEvent request = events.take(CmEventType.CONNECT_REQUEST);
            try (Connection connection = new Connection(request.id(), 1, GREATEST, polls)) {
                peer(request);
                request.id().accept(parameters(connection));
                events.take(CmEventType.ESTABLISHED);
                for (int size : SIZES) {
                    answer(connection, size);
                }
                events.take(CmEventType.DISCONNECTED);
                request.id().disconnect();
            }
        } finally {
            listener.destroy();
        }
    }

    /** Transfers all sizes to a server and back. */
    void connect(InetSocketAddress server) throws RdmaException, PeerFailedException, InterruptedException {
        CmId id = connectionManager.createId(PortSpace.TCP, events);
        try {
            id.resolveAddress(null, server, RESOLVE_TIMEOUT);
            events.take(CmEventType.ADDR_RESOLVED);
            id.resolveRoute(RESOLVE_TIMEOUT);
            events.take(CmEventType.ROUTE_RESOLVED);
            try (Connection connection = new Connection(id, 1, GREATEST, polls)) {
                id.connect(parameters(connection));
                peer(events.take(CmEventType.ESTABLISHED));
                for (int size : SIZES) {
                    ask(connection, size);
                }
                if (trespasses) {
                    connection.write(peerAddress, ~peerKey, 1);
                } else {
                    id.disconnect();
                }
                events.take(CmEventType.DISCONNECTED);
            }
        } finally {
            id.destroy();
        }
    }

    private void ask(Connection connection, int size) throws RdmaException, PeerFailedException, InterruptedException {
        fill(connection.outgoing(), size, size);
        connection.write(peerAddress, peerKey, size);
        connection.send(size);
        connection.await(WorkCompletionOperation.WRITE, 1);
        connection.await(WorkCompletionOperation.SEND, 1);
        connection.await(WorkCompletionOperation.RECEIVE, 1);
        length(connection, size);
        verify("received", connection.incoming(), size, -size);
        connection.read(peerAddress, peerKey, size);
        connection.await(WorkCompletionOperation.READ, 1);
        verify("read", connection.exposed().bytes(), size, -size);
        connection.postReceive();
        out.println("transferred and verified " + size + " bytes");
    }

    private void answer(Connection connection, int size)
            throws RdmaException, PeerFailedException, InterruptedException {
        connection.await(WorkCompletionOperation.RECEIVE, 1);
        length(connection, size);
        verify("received", connection.incoming(), size, size);
        verify("written", connection.exposed().bytes(), size, size);
        fill(connection.exposed().bytes(), size, -size);
        fill(connection.outgoing(), size, -size);
        connection.postReceive();
        connection.send(size);
        connection.await(WorkCompletionOperation.SEND, 1);
        out.println("verified " + size + " bytes");
    }

    private static ConnectionParameters parameters(Connection connection) {
        ByteBuffer where = ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(connection.exposed().region().remoteAddress())
                .putInt(connection.exposed().region().remoteKey());
        return ConnectionParameters.defaults().withPrivateData(where.flip());
    }

    private void peer(CmEvent event) {
        ByteBuffer where = event.privateData();
        peerAddress = where.getLong();
        peerKey = where.getInt();
    }

    private static void length(Connection connection, int size) throws PeerFailedException {
        if (connection.received() != size) {
            throw new PeerFailedException("a message of " + connection.received() + " bytes, not " + size);
        }
    }

    private static void fill(ByteBuffer buffer, int size, int seed) {
        SplittableRandom bytes = new SplittableRandom(seed);
        int index = 0;
        for (; index + Long.BYTES <= size; index += Long.BYTES) {
            buffer.putLong(index, bytes.nextLong());
        }
        for (; index < size; index++) {
            buffer.put(index, (byte) bytes.nextInt());
        }
    }

    private static void verify(String what, ByteBuffer buffer, int size, int seed) throws PeerFailedException {
        ByteBuffer expected = ByteBuffer.allocate(size);
        fill(expected, size, seed);
        int different = buffer.slice(0, size).mismatch(expected);
        if (different >= 0) {
            throw new PeerFailedException("byte " + different + " of the " + size + " " + what + " is wrong");
        }
    }
}
