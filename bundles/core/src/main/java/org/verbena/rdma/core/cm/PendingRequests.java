package org.verbena.rdma.core.cm;

import java.util.Deque;
import java.util.LinkedList;
import java.util.List;
import org.verbena.rdma.cm.CmEventType;

/**
 * The requests of one listener that wait for their callback, at most as many as its backlog, and their place among its
 * events (C2). Recording an event takes no memory: the numbers of ids, which only grow, tell who came before it.
 *
 * <p>Guarded by the {@link IdState} that it belongs to.
 */
final class PendingRequests {
    private final int backlog;
    /** One for which there is no room changes nothing; an ArrayDeque that cannot grow would lose all that it has. */
    private final Deque<ConnectionId> waiting = new LinkedList<>();
    /** The highest number that a request's id has had; who asks later has a higher one. */
    private long latest;
    /** The same when the oldest event that waits was recorded. */
    private long latestBeforeEvent;

    PendingRequests(int backlog) {
        this.backlog = backlog;
    }

    int backlog() {
        return backlog;
    }

    int count() {
        return waiting.size();
    }

    /** Takes a request, unless the backlog is full. */
    boolean offer(ConnectionId child) {
        if (waiting.size() >= backlog) {
            return false;
        }
        latest = Math.max(latest, child.number());
        return waiting.add(child);
    }

    /** An event is recorded, and none waits. */
    void precedeEvent() {
        latestBeforeEvent = latest;
    }

    /** Tells whether the oldest request came before the oldest event. */
    boolean precedesEvent() {
        return waiting.peek().number() <= latestBeforeEvent;
    }

    /** Takes the oldest request. What it needs of memory it takes before it changes anything. */
    Event take(ConnectionId listener) {
        ConnectionId child = waiting.peek();
        Event event = Event.parameters(CmEventType.CONNECT_REQUEST, child, listener, child.requestParameters());
        waiting.poll();
        return event;
    }

    boolean remove(ConnectionId child) {
        return waiting.remove(child);
    }

    List<ConnectionId> takeAll() {
        List<ConnectionId> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }
}
