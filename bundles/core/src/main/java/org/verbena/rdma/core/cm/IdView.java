package org.verbena.rdma.core.cm;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.verbs.QueuePairReading;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.ListenerSnapshot;

/** An id as monitoring sees it: turns what it is into snapshots. */
public final class IdView {
    private final ConnectionId id;
    private final IdState state;
    private final Device device;
    private final AddressListening listening;
    private final QueuePair queuePair;
    private final ConnectionId listener;

    IdView(
            ConnectionId id,
            IdState state,
            Device device,
            AddressListening listening,
            QueuePair queuePair,
            ConnectionId listener) {
        this.id = id;
        this.state = state;
        this.device = device;
        this.listening = listening;
        this.queuePair = queuePair;
        this.listener = listener;
    }

    /**
     * Tells whether the id listens.
     *
     * @return {@code true} in state LISTEN
     */
    public boolean isListener() {
        return state.state() == CmState.LISTEN;
    }

    /**
     * Tells whether the id is connected or was.
     *
     * @return {@code true} in states CONNECT and DISCONNECT
     */
    public boolean isConnection() {
        return state.state() == CmState.CONNECT || state.state() == CmState.DISCONNECT;
    }

    /**
     * Returns what all ids have.
     *
     * @return a snapshot
     */
    public IdSnapshot snapshot() {
        Thread thread = state.callback();
        return new IdSnapshot(
                id.number(),
                state.state().name(),
                state.isRemoving(),
                state.isDestroying(),
                id.portSpace().name(),
                device == null ? "" : device.name(),
                text(id.localAddress()),
                text(id.peerAddress()),
                id.consumer().name(),
                state.pendingCount(),
                thread == null ? "" : thread.getName());
    }

    /**
     * Returns what listeners have.
     *
     * @return a snapshot
     */
    public ListenerSnapshot listener() {
        return new ListenerSnapshot(
                snapshot(),
                state.backlog(),
                state.requestCount(),
                listening == null ? List.of() : listening.served(),
                listening == null ? List.of() : listening.failures());
    }

    /**
     * Returns what connections have.
     *
     * @return a snapshot
     */
    public ConnectionSnapshot connection() {
        long since = state.establishedNanos();
        QueuePairReading reading = queuePair == null || device == null
                ? new QueuePairReading("", Map.of())
                : device.verbs().reading(queuePair);
        return new ConnectionSnapshot(
                snapshot(),
                queuePair == null ? -1 : queuePair.number(),
                reading.state(),
                listener == null,
                listener == null ? -1 : listener.number(),
                since == 0 ? -1 : (System.nanoTime() - since) / 1_000_000,
                reading.counters());
    }

    private static String text(InetSocketAddress address) {
        if (address == null) {
            return "";
        }
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
