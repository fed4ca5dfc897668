package org.verbena.rdma.core.cm;

import org.verbena.rdma.cm.CmEventType;

/** Told of each event that was delivered, for monitoring. Called without locks on dispatcher threads; must not block. */
@FunctionalInterface
public interface EventObserver {
    /**
     * An event was delivered.
     *
     * @param id the id
     * @param type the type of the event
     */
    void delivered(ConnectionId id, CmEventType type);
}
