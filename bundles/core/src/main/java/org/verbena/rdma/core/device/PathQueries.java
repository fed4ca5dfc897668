package org.verbena.rdma.core.device;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.PathQuery;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.session.Session;

/**
 * The path queries that run on one device (C16).
 *
 * <p>The set and the mark are guarded by this object's monitor, which is never held while anything else is called.
 */
public final class PathQueries {
    private final Device device;
    private final Executor threads;
    private final ScheduledExecutorService timer;
    private final Set<RunningPathQuery> running = new HashSet<>();
    private boolean marked;

    PathQueries(Device device, Executor threads, ScheduledExecutorService timer) {
        this.device = device;
        this.threads = threads;
        this.timer = timer;
    }

    /**
     * Begins a query. The provider is asked on a core thread, so that one that hangs does not hold up the caller.
     *
     * @param session who asks
     * @param source an address of the device
     * @param destination the address of the peer
     * @param timeout when to give up
     * @return the query under way
     * @throws RdmaException if the device is going, or the session has ended
     */
    public PathQuery begin(Session session, InetAddress source, InetAddress destination, Duration timeout)
            throws RdmaException {
        RunningPathQuery query = new RunningPathQuery(device, this, session);
        session.add(query);
        if (!add(query)) {
            session.remove(query);
            throw device.removed();
        }
        query.start(threads, timer, source, destination, timeout);
        return query;
    }

    private synchronized boolean add(RunningPathQuery query) throws DeviceRemovedException {
        return !marked && running.add(query);
    }

    synchronized void remove(RunningPathQuery query) {
        running.remove(query);
    }

    synchronized void mark() {
        marked = true;
    }

    /** Cancels and completes what runs; what the provider holds is closed on core threads. */
    void cancelAll() {
        List<RunningPathQuery> cancelled;
        synchronized (this) {
            cancelled = new ArrayList<>(running);
        }
        cancelled.forEach(RunningPathQuery::cancel);
    }

    /** Closes what is left at the provider. Called when no thread is inside the provider. */
    void closeLeftovers() {
        List<RunningPathQuery> left;
        synchronized (this) {
            left = new ArrayList<>(running);
            running.clear();
        }
        left.forEach(RunningPathQuery::closeLeftover);
    }
}
