package org.verbena.rdma.core.cm;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.core.device.Device;

/**
 * All that changes in an id: its state, the marks beside it, the call that is inside the provider, the callback that
 * runs, and the events that wait. Who may do what next is decided here, in one place.
 *
 * <p>Everything is guarded by this object's monitor. The methods are short and call nothing outside of this package, so
 * that the monitor is never held while a consumer, a provider or the service registry is called.
 *
 * <p>The rules:
 *
 * <ul>
 *   <li>At most one call is inside the provider at a time; events wait until it has settled the state (C2).
 *   <li>At most one callback runs (C1); the callback of a request counts as one of the child and one of the listener.
 *   <li>Destroying is a mark. Whoever leaves last, of the destroyer, the call and the callback, gets {@code true} once and
 *       cleans up (C4, C5, C8).
 *   <li>Removing is a mark. DEVICE_REMOVAL goes behind what waits, and nothing after it (C7).
 * </ul>
 */
final class IdState {
    private CmState state;
    private Progress progress;
    private Progress before;
    private boolean advanced;
    private String call;
    private Thread callback;
    private CmEventType told;
    private boolean scheduled;
    private boolean destroying;
    private boolean cleaning;
    private boolean destroyed;
    private boolean removing;
    private boolean removalKept;
    private boolean undelivered;
    private String waitsBroken;
    private Device bound;
    private final PendingEvents pending = new PendingEvents();
    /** Of a listener; null for other ids. */
    private PendingRequests requests;

    private long establishedNanos;

    private IdState(CmState state, Progress progress, boolean undelivered, Device bound) {
        this.bound = bound;
        this.state = state;
        this.progress = progress;
        this.undelivered = undelivered;
    }

    static IdState idle() {
        return new IdState(CmState.IDLE, Progress.NONE, false, null);
    }

    /** The state of an id that a request has made; nothing of it is shown until the request is delivered. */
    static IdState requested(Device device) {
        IdState requested = new IdState(CmState.CONNECT, Progress.REQUESTED, true, device);
        requested.call = "the taking of the request";
        return requested;
    }

    // What others may look at

    synchronized CmState state() {
        return state;
    }

    synchronized Progress progress() {
        return progress;
    }

    synchronized boolean isDestroying() {
        return destroying;
    }

    synchronized boolean isRemoving() {
        return removing;
    }

    synchronized Thread callback() {
        return callback;
    }

    /** What the callback that runs is told of, or the last one was; null before the first. */
    synchronized CmEventType told() {
        return told;
    }

    synchronized int pendingCount() {
        return pending.count() + requestCount();
    }

    synchronized int requestCount() {
        return requests == null ? 0 : requests.count();
    }

    synchronized int backlog() {
        return requests == null ? 0 : requests.backlog();
    }

    synchronized long establishedNanos() {
        return progress == Progress.ESTABLISHED ? establishedNanos : 0;
    }

    // Calls of the consumer

    /** Begins a call that is legal in some states. */
    synchronized CmState begin(String name, CmState first, CmState... others) {
        requireAlive(name);
        if (call != null) {
            throw new IllegalStateException(
                    name + " conflicts with " + call + ", which is in progress in state " + state);
        }
        Set<CmState> legal = EnumSet.of(first, others);
        if (!legal.contains(state)) {
            throw new IllegalStateException(name + " is not legal in state " + state + ", only in "
                    + String.join(" or ", legal.stream().map(CmState::name).toList()));
        }
        call = name;
        advanced = false;
        return state;
    }

    /** Moves on inside of a call, before the provider is asked, so that its answer finds the right progress. */
    synchronized void advance(Progress next) {
        before = progress;
        advanced = true;
        progress = next;
    }

    /** Moves on as {@link #advance(Progress)} does, unless an upcall has moved the progress since it was looked at. */
    synchronized boolean advance(Progress from, Progress next) {
        if (progress != from) {
            return false;
        }
        advance(next);
        return true;
    }

    /** Ends a call that was carried out; tells what the caller has to do. */
    synchronized After settle(CmState next) {
        state = next;
        return leaveCall();
    }

    /** Ends a call that changes no state. */
    synchronized After settle() {
        return leaveCall();
    }

    /**
     * Ends a call that has failed: nothing is changed. What the provider said since the call has moved on is forgotten;
     * what it said before that, such as that the peer has gone, stays.
     */
    synchronized After fail() {
        if (advanced) {
            pending.removeOutcomes();
            progress = before;
        }
        return leaveCall();
    }

    private After leaveCall() {
        call = null;
        return after();
    }

    private void requireAlive(String name) {
        if (destroying) {
            throw new IllegalStateException(name + " is not possible: the id is destroyed, its state was " + state);
        }
    }

    synchronized void requireState(String name, CmState... legal) {
        requireAlive(name);
        if (!List.of(legal).contains(state)) {
            throw new IllegalStateException(name + " is not legal in state " + state);
        }
    }

    synchronized void requireProgress(String name, Progress wanted, String otherwise) {
        if (progress != wanted) {
            throw new IllegalStateException(name + " is not possible in state " + state + ": " + otherwise);
        }
    }

    /** What has to be done by whoever has just left a call or a callback, or has recorded something. */
    enum After {
        NOTHING,
        SCHEDULE,
        CLEAN_UP
    }

    private After after() {
        if (destroying) {
            if (call == null && callback == null && !cleaning) {
                cleaning = true;
                return After.CLEAN_UP;
            }
            return After.NOTHING;
        }
        boolean something = pending.count() > 0 || requestCount() > 0;
        if (something && call == null && callback == null && !scheduled && !undelivered) {
            scheduled = true;
            return After.SCHEDULE;
        }
        return After.NOTHING;
    }

    // Upcalls of the provider. Each tells what the caller has to do.

    synchronized After addressResolved() {
        if (drops() || progress != Progress.RESOLVING) {
            return After.NOTHING;
        }
        progress = Progress.RESOLVED;
        pending.addOutcome(CmEventType.ADDR_RESOLVED, RdmaError.SUCCESS);
        return after();
    }

    synchronized After addressError(RdmaError error) {
        if (drops() || progress != Progress.RESOLVING) {
            return After.NOTHING;
        }
        progress = Progress.NONE;
        pending.addOutcome(CmEventType.ADDR_ERROR, error);
        return after();
    }

    synchronized After routeResolved() {
        if (drops() || progress != Progress.ROUTING) {
            return After.NOTHING;
        }
        progress = Progress.ROUTED;
        pending.addOutcome(CmEventType.ROUTE_RESOLVED, RdmaError.SUCCESS);
        return after();
    }

    synchronized After routeError(RdmaError error) {
        if (drops() || progress != Progress.ROUTING) {
            return After.NOTHING;
        }
        progress = Progress.RESOLVED;
        pending.addOutcome(CmEventType.ROUTE_ERROR, error);
        return after();
    }

    synchronized After connectResponse(ConnectionParameters told) {
        if (drops() || progress != Progress.CONNECTING) {
            return After.NOTHING;
        }
        progress = Progress.RESPONDED;
        pending.addParameters(CmEventType.CONNECT_RESPONSE, told);
        return after();
    }

    synchronized After established(ConnectionParameters told) {
        if (drops() || progress != Progress.CONNECTING && progress != Progress.ACCEPTING) {
            return After.NOTHING;
        }
        progress = Progress.ESTABLISHED;
        establishedNanos = System.nanoTime();
        pending.addParameters(CmEventType.ESTABLISHED, told);
        return after();
    }

    /** The end of a call to {@code establish}. */
    synchronized void establishedByConsumer() {
        if (progress == Progress.RESPONDED) {
            progress = Progress.ESTABLISHED;
            establishedNanos = System.nanoTime();
        }
    }

    synchronized After connectFailed(CmEventType type, RdmaError error) {
        if (drops()
                || progress != Progress.CONNECTING
                        && progress != Progress.ACCEPTING
                        && progress != Progress.RESPONDED) {
            return After.NOTHING;
        }
        progress = Progress.FAILED;
        pending.addOutcome(type, error);
        return after();
    }

    synchronized After rejected(RejectReason reason, RdmaError error, ByteBuffer data) {
        if (drops() || progress != Progress.CONNECTING) {
            return After.NOTHING;
        }
        progress = Progress.FAILED;
        pending.addRejected(reason, error, data);
        return after();
    }

    synchronized After disconnected(RdmaError status) {
        if (drops()) {
            return After.NOTHING;
        }
        switch (progress) {
            case ESTABLISHED, REQUESTED -> {
                progress = Progress.ENDED;
                pending.addDisconnected(status);
                return after();
            }
            case CONNECTING, ACCEPTING, RESPONDED -> {
                return connectFailed(
                        CmEventType.CONNECT_ERROR, status == RdmaError.SUCCESS ? RdmaError.CONNECTION_RESET : status);
            }
            default -> {
                return After.NOTHING;
            }
        }
    }

    synchronized After timewaitExit() {
        if (drops() || progress != Progress.ENDED) {
            return After.NOTHING;
        }
        progress = Progress.OVER;
        pending.add(CmEventType.TIMEWAIT_EXIT);
        return after();
    }

    /** One that was not delivered yet absorbs later ones. */
    synchronized After addressChanged() {
        if (drops() || pending.contains(CmEventType.ADDR_CHANGE)) {
            return After.NOTHING;
        }
        if (pending.count() == 0 && requests != null) {
            requests.precedeEvent();
        }
        pending.add(CmEventType.ADDR_CHANGE);
        return after();
    }

    private boolean drops() {
        return destroying || removing;
    }

    // Requests

    synchronized void setBacklog(int most) {
        requests = new PendingRequests(most);
    }

    /** Takes a request, unless the listener is going or its backlog is full. */
    synchronized boolean offer(ConnectionId child) {
        return !drops() && requests != null && requests.offer(child);
    }

    /**
     * The id of a request is where others find it: whoever destroys it cleans up from now on. False if somebody has
     * destroyed it meanwhile, which is then left to who takes the request.
     */
    synchronized boolean endTaking() {
        call = null;
        return !destroying;
    }

    synchronized After afterOffer() {
        return after();
    }

    /** Takes a request back that was not delivered, and tells whether it was there. */
    synchronized boolean withdraw(ConnectionId child) {
        return requests != null && requests.remove(child);
    }

    /** Takes all requests that were not delivered. */
    synchronized List<ConnectionId> takeRequests() {
        return requests == null ? List.of() : requests.takeAll();
    }

    // Callbacks

    /** Begins a callback: takes a request or an event and moves the state. Null if there is nothing to do now. */
    synchronized Event beginCallback(ConnectionId id) {
        scheduled = false;
        if (destroying || call != null || callback != null) {
            return null;
        }
        Event event = null;
        if (isRequestNext()) {
            event = requests.take(id);
        } else if (pending.count() > 0) {
            event = pending.take(id);
            move(event.type());
            if (event.type() == CmEventType.ADDR_ERROR) {
                // Until the failed resolution is dropped no other call may begin.
                call = "the delivery of ADDR_ERROR";
            }
        }
        if (event != null) {
            told = event.type();
            callback = Thread.currentThread();
        }
        return event;
    }

    private boolean isRequestNext() {
        return requestCount() > 0 && !removing && (pending.count() == 0 || requests.precedesEvent());
    }

    /** The failed resolution is dropped: calls may begin again. Tells whether its callback may still begin. */
    synchronized boolean endDrop() {
        call = null;
        return !destroying;
    }

    /** There was no memory for the event: it is still there, and this tells whether to try again. */
    synchronized After retryCallback() {
        return after();
    }

    private void move(CmEventType type) {
        switch (type) {
            case ADDR_RESOLVED -> state = CmState.ADDR_RESOLVED;
            case ADDR_ERROR -> state = CmState.ADDR_BOUND;
            case ROUTE_RESOLVED -> state = CmState.ROUTE_RESOLVED;
            case ROUTE_ERROR -> state = CmState.ADDR_RESOLVED;
            case DISCONNECTED -> state = CmState.DISCONNECT;
            default -> {
                // The others say what happened without moving the state.
            }
        }
    }

    /** Begins the callback of the request that has made this id. False if the id has gone meanwhile. */
    synchronized boolean beginRequestCallback() {
        if (destroying || removing) {
            return false;
        }
        undelivered = false;
        callback = Thread.currentThread();
        return true;
    }

    /** Ends a callback; {@code keep} is its verdict. */
    synchronized After endCallback(boolean keep, CmEventType type) {
        callback = null;
        if (!keep) {
            markDestroying();
        } else if (type == CmEventType.DEVICE_REMOVAL) {
            removalKept = true;
        }
        return after();
    }

    // Destroying

    /** Marks the id as destroyed: no callback begins any more. Tells whether the caller has to clean up. */
    synchronized After destroy() {
        markDestroying();
        return after();
    }

    private void markDestroying() {
        destroying = true;
        pending.clear();
    }

    /** The clean-up is over. */
    synchronized void finish() {
        destroyed = true;
        notifyAll();
    }

    synchronized boolean isDestroyed() {
        return destroyed;
    }

    /** Waits until the id is destroyed, or waiting is ended by a removal. */
    synchronized void awaitDestroyed() {
        boolean interrupted = false;
        while (!destroyed && waitsBroken == null) {
            try {
                wait();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!destroyed) {
            throw new IllegalStateException(waitsBroken);
        }
    }

    /** Waits until the id is destroyed, or a time is over. */
    synchronized boolean awaitDestroyed(long deadlineNanos) {
        boolean interrupted = false;
        while (!destroyed) {
            long millis = (deadlineNanos - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                break;
            }
            try {
                wait(millis);
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return destroyed;
    }

    // Being bound to a device, and its removal

    synchronized void bind(Device device) {
        bound = device;
    }

    /** The id has nothing to do with its device any more; what it was not told of its removal does not apply. */
    synchronized void unbind() {
        bound = null;
        if (removing) {
            removing = false;
            pending.removeRemoval();
        }
    }

    /** The mark: what comes from here on is dropped, since DEVICE_REMOVAL is next and the last. */
    synchronized void markRemoval(Device device) {
        removing |= !destroying && bound == device;
    }

    /** Queues DEVICE_REMOVAL behind what waits. Null if there is nobody to tell, which is so before the mark. */
    synchronized After tellRemoval(Device device) {
        // An undelivered request's callback does not begin any more.
        if (destroying || !removing || undelivered || bound != device) {
            return null;
        }
        pending.add(CmEventType.DEVICE_REMOVAL);
        return after();
    }

    synchronized boolean isRemovalKept() {
        return removalKept;
    }

    /** Whether it is the consumer that is waited for, rather than a call that does not come back from the provider. */
    synchronized boolean isConsumersTurn() {
        return callback != null || !destroying && call == null;
    }

    /** Says what a removal waits for. */
    synchronized String waitingFor() {
        if (callback != null) {
            return "callback on thread " + callback.getName();
        }
        if (call != null) {
            return call + " inside the provider";
        }
        return removalKept ? "kept with work outstanding" : "waiting for a thread";
    }

    synchronized boolean isUndelivered() {
        return undelivered;
    }

    /** Whether a removal has to wait: not destroyed, and not merely held up by the removing thread's own callback. */
    synchronized boolean isHolding(Thread unregistering) {
        return !destroyed && callback != unregistering;
    }

    synchronized void breakWaits(String why) {
        if (!destroyed) {
            waitsBroken = why;
            notifyAll();
        }
    }
}
