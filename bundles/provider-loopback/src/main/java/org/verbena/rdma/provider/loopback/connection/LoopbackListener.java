package org.verbena.rdma.provider.loopback.connection;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.provider.loopback.schedule.UpcallQueue;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.ProviderListener;

/**
 * A listener.
 *
 * <p>{@code lock} guards the requests that core has not been told of yet and the count of those that are not answered;
 * it is never held while a connection or core is called.
 */
public final class LoopbackListener implements ProviderListener {
    private final ConnectionDevice device;
    private final ListenAddress at;
    private final int backlog;
    private final ListenerUpcalls upcalls;
    private final UpcallQueue queue;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Connection> requests = new ArrayDeque<>();
    private int unanswered;
    private boolean closed;

    LoopbackListener(ConnectionDevice device, ListenAddress at, int backlog, ListenerUpcalls upcalls) {
        this.device = device;
        this.at = at;
        this.backlog = Math.max(1, backlog);
        this.upcalls = upcalls;
        this.queue = new UpcallQueue(device.upcalls());
    }

    @Override
    public InetSocketAddress localAddress() {
        return at.address();
    }

    @Override
    public void close() {
        device.listeners().remove(at, this);
        List<Connection> untold;
        lock.lock();
        try {
            closed = true;
            untold = List.copyOf(requests);
            requests.clear();
        } finally {
            lock.unlock();
        }
        queue.close();
        untold.forEach(connection -> connection.refuse(RejectReason.NO_LISTENER));
    }

    ConnectionDevice device() {
        return device;
    }

    ListenAddress at() {
        return at;
    }

    ListenerUpcalls upcalls() {
        return upcalls;
    }

    /** Takes a request. Returns {@code null} if it did, else why not. */
    RejectReason offer(Connection connection) {
        lock.lock();
        try {
            if (closed) {
                return RejectReason.NO_LISTENER;
            }
            if (unanswered == backlog) {
                return RejectReason.NO_RESOURCES;
            }
            unanswered++;
            requests.add(connection);
        } finally {
            lock.unlock();
        }
        queue.add(this::tellOldest);
        return null;
    }

    /** A request that was taken has been answered, or has come to nothing. */
    void answered() {
        lock.lock();
        try {
            unanswered--;
        } finally {
            lock.unlock();
        }
    }

    void tellAddressChanged() {
        queue.add(upcalls::addressChanged);
    }

    private void tellOldest() {
        Connection connection;
        lock.lock();
        try {
            connection = requests.poll();
        } finally {
            lock.unlock();
        }
        if (connection != null) {
            connection.tellRequest(this);
        }
    }
}
