package org.verbena.rdma.provider.loopback.connection;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;

/** The listeners of a network by their addresses. The map is all its state and safe by itself. */
public final class ListenerTable {
    private final Map<ListenAddress, LoopbackListener> listeners = new ConcurrentHashMap<>();

    /** Makes an empty table. */
    public ListenerTable() {
        // nothing to do
    }

    void add(ListenAddress at, LoopbackListener listener) throws RdmaException {
        if (listeners.putIfAbsent(at, listener) != null) {
            throw new RdmaException(
                    RdmaError.ADDRESS_IN_USE, "another device of the network listens at " + at.address() + " already");
        }
    }

    void remove(ListenAddress at, LoopbackListener listener) {
        listeners.remove(at, listener);
    }

    /** Returns the listeners of one device. */
    List<LoopbackListener> of(ConnectionDevice device) {
        return listeners.values().stream()
                .filter(listener -> listener.device() == device)
                .toList();
    }

    /** Returns the listener, or {@code null}. */
    LoopbackListener find(ListenAddress at) {
        return listeners.get(at);
    }
}
