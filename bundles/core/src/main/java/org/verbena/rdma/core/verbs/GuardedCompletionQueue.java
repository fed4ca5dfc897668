package org.verbena.rdma.core.verbs;

import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.guard.Presence;
import org.verbena.rdma.spi.ProviderCompletionQueue;

/**
 * A completion queue. The gate guards the provider's queue, which is written once, before this is published. While the
 * gate is open, polls go to the provider. The removal shuts it, waits until all polls are out, and then moves what is
 * left to {@link FlushedCompletions}, so that the two never take turns and the order stays; polls go there from the
 * shutting on, and get nothing, rather than an exception, until all is moved.
 */
final class GuardedCompletionQueue extends GuardedObject implements CompletionQueue {
    private static final Logger LOGGER = LoggerFactory.getLogger(GuardedCompletionQueue.class);
    private static final int BATCH = 256;

    private final int minimum;
    private final GuardedCompletionChannel channel;
    private final QueueEvents events;
    private final Guard guard;
    private final Gate gate;
    private ProviderCompletionQueue provider;
    private int entries;
    private volatile FlushedCompletions flushed;

    GuardedCompletionQueue(
            VerbsHome home, VerbsOwner owner, RdmaDevice view, int minimum, GuardedCompletionChannel channel) {
        super(home, Kind.COMPLETION_QUEUE, owner, view, channel == null ? List.of() : List.of(channel));
        this.minimum = minimum;
        this.channel = channel;
        events = new QueueEvents(this, channel);
        guard = home.guard();
        gate = new Gate(home.named(Kind.COMPLETION_QUEUE), home.gate());
    }

    ProviderCompletionQueue provider() {
        return provider;
    }

    @Override
    Gate gate() {
        return gate;
    }

    @Override
    void create() throws RdmaException {
        provider = Objects.requireNonNull(home.provider().createCompletionQueue(minimum, events), NOTHING);
        entries = provider.entries();
        flushed = new FlushedCompletions(Math.max(minimum, entries));
    }

    @Override
    boolean awaitUnused(long deadlineNanos, BooleanSupplier giveUp) {
        return guard.awaitOutside(gate, deadlineNanos, giveUp);
    }

    @Override
    void release() {
        if (provider == null) {
            return;
        }
        if (fate == Fate.REMOVED) {
            drain();
        }
        if (!home.life().isAbandoned()) {
            provider.close();
        }
    }

    @Override
    void settled() {
        if (!home.life().isAbandoned()) {
            provider = null;
        }
        if (flushed != null) {
            flushed.complete();
        }
        if (channel != null) {
            if (fate != Fate.REMOVED) {
                channel.forget();
            } else if (flushed != null && flushed.hasNews()) {
                events.tellOfFlushed();
            }
        }
    }

    /** Moves what the provider's queue holds to where it stays readable; when the gate is shut and nobody is inside. */
    void drain() {
        try {
            boolean more = true;
            while (more && !home.life().isAbandoned()) {
                long before = flushed.added();
                int room = Math.min(flushed.room(), BATCH);
                more = room > 0 && provider.poll(flushed, room) > 0 && flushed.added() != before;
            }
        } catch (RdmaException broken) {
            LOGGER.debug("{} is broken and cannot be read to its end", this, broken);
        } catch (RuntimeException | Error failure) {
            LOGGER.warn("The provider has failed to empty {}", this, failure);
        }
        if (flushed.hasNews()) {
            events.tellOfFlushed();
        }
    }

    @Override
    public int entries() {
        return entries;
    }

    @Override
    public WorkCompletions createWorkCompletions(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity=" + capacity + " is too small: at least 1");
        }
        return new PolledCompletions(capacity);
    }

    @Override
    public int poll(WorkCompletions into) throws RdmaException {
        PolledCompletions polled = PolledCompletions.of(into);
        polled.clear();
        Presence here = guard.presence(gate);
        if (!here.enter(gate)) {
            return pollFlushed(polled);
        }
        try {
            callPoll(polled);
            return polled.count();
        } finally {
            here.exit();
        }
    }

    /** Polls the provider. What it has taken before it fails is not lost; the next poll fails again. */
    private void callPoll(PolledCompletions polled) throws RdmaException {
        try {
            provider.poll(polled, polled.capacity());
        } catch (RdmaException broken) {
            if (polled.count() == 0) {
                throw broken;
            }
        } catch (RuntimeException | Error failure) {
            RdmaException report = ProviderFailure.of("a poll of " + this, failure);
            if (polled.count() == 0) {
                throw report;
            }
        }
    }

    private int pollFlushed(PolledCompletions polled) throws RdmaException {
        Fate now = fate;
        if (now == Fate.CLOSED || now == Fate.ENDED) {
            throw refusal();
        }
        int count = flushed.moveTo(polled);
        if (count < 0) {
            throw refusal();
        }
        return count;
    }

    @Override
    public void requestNotification(boolean solicitedOnly) throws RdmaException {
        if (channel == null) {
            throw new IllegalStateException(this + " has no channel: make it with one to be notified");
        }
        Presence here = guard.presence(gate);
        if (!here.enter(gate)) {
            throw refusal();
        }
        boolean done = false;
        events.request();
        try {
            provider.requestNotification(solicitedOnly);
            done = true;
        } catch (RuntimeException | Error failure) {
            throw ProviderFailure.of("a request for notification of " + this, failure);
        } finally {
            if (!done) {
                events.fulfil();
            }
            here.exit();
        }
    }
}
