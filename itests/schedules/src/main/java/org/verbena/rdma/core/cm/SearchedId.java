package org.verbena.rdma.core.cm;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.core.session.SessionMember;
import org.verbena.rdma.itests.schedules.StartedThreads;
import org.verbena.rdma.itests.schedules.Watch;

/**
 * An id with the state of a real one, whose turns run on threads of the search, and with a consumer that is watched. Does
 * what the state says is to be done, as {@link ConnectionId} does.
 */
public final class SearchedId implements SessionMember {
    private final IdState state = IdState.idle();
    private final StartedThreads threads;
    private final Predicate<CmEventType> consumer;
    private final Watch watch = new Watch();
    private final AtomicInteger cleanUps = new AtomicInteger();
    private final ThreadLocal<Boolean> inCallback = ThreadLocal.withInitial(() -> false);

    /**
     * Makes an id whose address is asked for.
     *
     * @param threads where its callbacks run
     * @param consumer answers an event with whether to keep the id, or throws
     */
    public SearchedId(StartedThreads threads, Predicate<CmEventType> consumer) {
        this.threads = threads;
        this.consumer = consumer;
        state.begin("resolveAddress", CmState.IDLE);
        state.advance(Progress.RESOLVING);
        after(state.settle(CmState.ADDR_QUERY));
    }

    private void after(IdState.After after) {
        switch (after) {
            case SCHEDULE -> threads.run(this::step);
            case CLEAN_UP -> {
                Watch.require(cleanUps.incrementAndGet() == 1, "cleaned up twice");
                state.finish();
            }
            default -> {
                // Somebody else is still at it, or there is nothing to do.
            }
        }
    }

    private void step() {
        Event event = state.beginCallback(null);
        if (event == null) {
            return;
        }
        boolean keep = false;
        inCallback.set(true);
        try {
            watch.begin(event.type());
            if (event.type() == CmEventType.DEVICE_REMOVAL) {
                watch.over("DEVICE_REMOVAL");
            }
            keep = consumer.test(event.type());
        } catch (UnsupportedOperationException thrownByConsumer) {
            keep = false;
        } finally {
            inCallback.set(false);
            watch.end();
            if (!keep) {
                watch.over("DESTROY");
            }
            after(state.endCallback(keep, event.type()));
        }
        if (event.type() == CmEventType.DEVICE_REMOVAL && keep) {
            destroyIfKept();
        }
    }

    /** The provider tells that the address is resolved. */
    public void addressResolved() {
        after(state.addressResolved());
    }

    /** The provider tells that an address has changed. */
    public void addressChanged() {
        after(state.addressChanged());
    }

    /** The consumer destroys the id, and waits for it outside of callbacks. */
    public void destroy() {
        after(state.destroy());
        if (!inCallback.get()) {
            state.awaitDestroyed();
            watch.quiet("destroy");
        }
    }

    /** A removal tells the id and waits for its end. */
    public void remove() {
        state.markRemoval(null);
        IdState.After after = state.tellRemoval(null);
        if (after != null) {
            after(after);
        }
        destroyIfKept();
        state.awaitDestroyed();
    }

    private void destroyIfKept() {
        if (state.isRemovalKept()) {
            after(state.destroy());
        }
    }

    @Override
    public void endWithSession() {
        after(state.destroy());
    }

    @Override
    public boolean awaitEnd(long deadlineNanos) {
        state.awaitDestroyed();
        watch.quiet("the end of the session");
        return true;
    }

    /** Checks that the id has come to its end. */
    public void requireDestroyed() {
        Watch.require(state.isDestroyed(), "the id is not destroyed, and nobody does it any more");
        Watch.require(cleanUps.get() == 1, "cleaned up " + cleanUps.get() + " times");
    }
}
