package org.verbena.rdma.core.session;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.verbena.rdma.core.dispatch.Lane;

/**
 * A bundle that uses core: its lane of the dispatcher, the version of the interface it knows, and its sessions. There is
 * one per bundle for as long as the bundle has a session.
 *
 * <p>The set of sessions and the counter are concurrent.
 */
public final class Consumer {
    private final String name;
    private final long bundleId;
    private final CmVersion version;
    private final Lane lane;
    private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
    private final AtomicLong forced = new AtomicLong();

    /**
     * Makes a consumer.
     *
     * @param name the symbolic name of the bundle
     * @param bundleId the number of the bundle, -1 outside of a framework
     * @param version what it was built against
     * @param lane its share of the dispatcher
     */
    public Consumer(String name, long bundleId, CmVersion version, Lane lane) {
        this.name = name;
        this.bundleId = bundleId;
        this.version = version;
        this.lane = lane;
    }

    /**
     * Returns the symbolic name of the bundle.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Returns the number of the bundle.
     *
     * @return the number, -1 outside of a framework
     */
    public long bundleId() {
        return bundleId;
    }

    /**
     * Returns what it was built against.
     *
     * @return the version of the cm package
     */
    public CmVersion version() {
        return version;
    }

    /**
     * Returns its share of the dispatcher.
     *
     * @return the lane
     */
    public Lane lane() {
        return lane;
    }

    /**
     * Returns its sessions.
     *
     * @return a live, concurrent set
     */
    public Set<Session> sessions() {
        return sessions;
    }

    /** Counts that a removal has taken something from it by force. */
    public void countForced() {
        forced.incrementAndGet();
    }

    /**
     * Returns how often a removal has taken something from it by force.
     *
     * @return 0 or more
     */
    public long forced() {
        return forced.get();
    }
}
