// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;

/**
 * One end of one of librdmacm's programs: connections are made, messages of no meaning go each way on all of them, and
 * they are ended. Run once, on one thread.
 */
final class Exchange {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(10);

    private final ConnectionManager connectionManager;
    private final PrintStream out;
    private final Program program;
    private final int count;
    private final int messages;
    private final int size;
    private final Events events = new Events();
    private final Map<CmId, Connection> connections = new LinkedHashMap<>();

    Exchange(ConnectionManager connectionManager, PrintStream out, Program program, int count, int messages, int size) {
        this.connectionManager = connectionManager;
        this.out = out;
        this.program = program;
        this.count = count;
        this.messages = messages;
        this.size = size;
    }

    /** Listens for the connections of a client and does what the server does. */
    void serve(InetSocketAddress address) throws RdmaException, PeerFailedException, InterruptedException {
        CmId listener = connectionManager.createId(PortSpace.TCP, events);
        try {
            listener.bindAddress(address);
            listener.listen(count);
            out.println("listening on " + address);
            int disconnected = 0;
            for (int established = 0; established < count; ) {
                CmEvent event =
                        events.take(CmEventType.CONNECT_REQUEST, CmEventType.ESTABLISHED, CmEventType.DISCONNECTED);
                switch (event.type()) {
                    case CONNECT_REQUEST -> {
                        open(event.id());
                        event.id().accept(ConnectionParameters.defaults());
                    }
                    case ESTABLISHED -> established++;
                    default -> {
                        // A client without data may leave on one connection before we hear of the next.
                        disconnect(event.id());
                        disconnected++;
                    }
                }
            }
            exchange(true, disconnected);
        } finally {
            listener.destroy();
            close();
        }
    }

    /** Connects to a server and does what the client does. */
    void connect(InetSocketAddress server) throws RdmaException, PeerFailedException, InterruptedException {
        try {
            for (int i = 0; i < count; i++) {
                CmId id = connectionManager.createId(PortSpace.TCP, events);
                try {
                    id.resolveAddress(null, server, RESOLVE_TIMEOUT);
                    events.take(CmEventType.ADDR_RESOLVED);
                    id.resolveRoute(RESOLVE_TIMEOUT);
                    events.take(CmEventType.ROUTE_RESOLVED);
                    open(id);
                } catch (RdmaException | PeerFailedException e) {
                    id.destroy();
                    throw e;
                }
                id.connect(ConnectionParameters.defaults().withResources(1, 1));
                events.take(CmEventType.ESTABLISHED);
            }
            exchange(false, 0);
        } finally {
            close();
        }
    }

    private void open(CmId id) throws RdmaException {
        connections.put(id, new Connection(id, messages, size));
    }

    private void exchange(boolean server, int disconnected)
            throws RdmaException, PeerFailedException, InterruptedException {
        if (program.speaksFirst(server)) {
            send();
            receive();
        } else {
            receive();
            send();
        }
        if (program.hangsUp(server)) {
            for (Connection connection : connections.values()) {
                disconnect(connection.id());
            }
        }
        for (int i = disconnected; i < count; i++) {
            disconnect(events.take(CmEventType.DISCONNECTED).id());
        }
    }

    private void send() throws RdmaException, PeerFailedException, InterruptedException {
        for (Connection connection : connections.values()) {
            for (int i = 0; i < messages; i++) {
                connection.send(size);
            }
        }
        for (Connection connection : connections.values()) {
            connection.await(WorkCompletionOperation.SEND, messages);
        }
    }

    private void receive() throws RdmaException, PeerFailedException, InterruptedException {
        for (Connection connection : connections.values()) {
            connection.await(WorkCompletionOperation.RECEIVE, messages);
            if (messages > 0 && connection.received() != size) {
                throw new PeerFailedException("a message of " + connection.received() + " bytes, not " + size);
            }
        }
    }

    /** Both ends may hang up at once, and who has been hung up on does it too. */
    private static void disconnect(CmId id) throws RdmaException {
        try {
            id.disconnect();
        } catch (IllegalStateException e) {
            // It is over already.
        }
    }

    private void close() {
        List<Connection> all = new ArrayList<>(connections.values());
        all.forEach(Connection::close);
    }
}
