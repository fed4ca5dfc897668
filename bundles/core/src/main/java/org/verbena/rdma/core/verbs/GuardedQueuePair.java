package org.verbena.rdma.core.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.ReceiveWorkRequest;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.guard.Presence;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.QueuePairResources;

/**
 * A queue pair. The gate guards the provider's queue pair, which is written once, before this is published; so is its
 * number. The flag that something was posted is set by any thread and never reset.
 */
final class GuardedQueuePair extends GuardedObject implements QueuePair {
    private static final Logger LOGGER = LoggerFactory.getLogger(GuardedQueuePair.class);

    private final GuardedProtectionDomain domain;
    private final Runnable closed;
    private final Guard guard;
    private final Gate gate;
    private final long maxMessageSize;
    private final int maxSendSegments;
    private final int maxReceiveSegments;
    private final int maxInlineData;
    private final boolean shared;
    private ProviderQueuePair provider;
    private Creation creation;
    private int queuePairNumber = -1;
    private boolean posted;

    /** What the provider has told last, written by the one thread that asks; {@code null} before. */
    private volatile QueuePairReading reading;

    /** Makes the provider's queue pair. */
    private interface Creation {
        ProviderQueuePair create() throws RdmaException;
    }

    GuardedQueuePair(
            VerbsHome home,
            VerbsOwner owner,
            RdmaDevice view,
            Endpoint endpoint,
            GuardedProtectionDomain domain,
            GuardedCompletionQueue sends,
            GuardedCompletionQueue receives,
            GuardedSharedReceiveQueue sharedReceives,
            QueuePairConfiguration configuration,
            Runnable closed) {
        super(home, Kind.QUEUE_PAIR, owner, view, parents(domain, sends, receives, sharedReceives));
        this.domain = domain;
        creation = () -> endpoint.createQueuePair(
                new QueuePairResources(
                        domain.provider(),
                        sends.provider(),
                        receives.provider(),
                        sharedReceives == null ? null : sharedReceives.provider()),
                configuration);
        this.closed = closed;
        guard = home.guard();
        gate = new Gate(home.named(Kind.QUEUE_PAIR), domain.gate());
        maxMessageSize = home.limits().maxMessageSize();
        maxSendSegments = configuration.maxSendSegments();
        maxReceiveSegments = configuration.maxReceiveSegments();
        maxInlineData = configuration.maxInlineData();
        shared = sharedReceives != null;
    }

    private static List<GuardedObject> parents(
            GuardedProtectionDomain domain,
            GuardedCompletionQueue sends,
            GuardedCompletionQueue receives,
            GuardedSharedReceiveQueue sharedReceives) {
        List<GuardedObject> parents = new ArrayList<>(4);
        parents.add(domain);
        parents.add(sends);
        if (receives != sends) {
            parents.add(receives);
        }
        if (sharedReceives != null) {
            parents.add(sharedReceives);
        }
        return List.copyOf(parents);
    }

    ProviderQueuePair provider() {
        return provider;
    }

    int maxSendSegments() {
        return maxSendSegments;
    }

    int maxInlineData() {
        return maxInlineData;
    }

    long maxMessageSize() {
        return maxMessageSize;
    }

    @Override
    Gate gate() {
        return gate;
    }

    @Override
    void create() throws RdmaException {
        Creation once = creation;
        creation = null; // holds on to the endpoint
        provider = Objects.requireNonNull(once.create(), NOTHING);
        queuePairNumber = provider.number();
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
        failProvider();
        if (!home.life().isAbandoned()) {
            provider.close();
        }
    }

    @Override
    void settled() {
        if (!home.life().isAbandoned()) {
            provider = null;
        }
        if (made) {
            closed.run();
        }
    }

    @Override
    String label() {
        return queuePairNumber < 0 ? "a queue pair in the making" : kind + " " + queuePairNumber;
    }

    /** Moves the provider's queue pair to error; inside the provider. What goes wrong is logged. */
    private void failProvider() {
        try {
            if (provider.state() != QueuePairState.ERROR) {
                provider.fail();
            }
        } catch (RdmaException | RuntimeException | Error failure) {
            LOGGER.warn("The provider has failed to move {} to error", this, failure);
        }
    }

    /** Moves to error on behalf of a removal, unless this is being closed. */
    void failForRemoval() {
        Presence here = guard.presence(gate);
        if (!here.enter(gate)) {
            return;
        }
        try {
            failProvider();
        } finally {
            here.exit();
        }
    }

    /** Whether work may be outstanding: something was posted, and the provider does not say that all of it is done. */
    boolean mayHaveWork() {
        Presence here = guard.presence();
        if (!posted || !here.enter(gate)) {
            return false;
        }
        try {
            return provider.hasOutstandingWork();
        } catch (RuntimeException | Error failure) {
            LOGGER.warn("The provider cannot tell whether work is outstanding on {}", this, failure);
            return true;
        } finally {
            here.exit();
        }
    }

    /** Asks the provider for state and counters. One thread at a time. */
    void read() {
        Presence here = guard.presence();
        if (!here.enter(gate)) {
            return;
        }
        try {
            reading =
                    new QueuePairReading(provider.state().name(), ToldCounters.ask(toString(), provider::readCounters));
        } catch (RuntimeException | Error failure) {
            LOGGER.warn("The provider has failed to tell the state of {}", this, failure);
        } finally {
            here.exit();
        }
    }

    /** What was read last; a queue pair that was taken away is closed, whatever it was. */
    QueuePairReading reading() {
        QueuePairReading last = reading;
        Map<String, Long> counters = last == null ? Map.of() : last.counters();
        if (gate.isShut()) {
            return new QueuePairReading(QueuePairState.CLOSED.name(), counters);
        }
        return new QueuePairReading(last == null ? "" : last.state(), counters);
    }

    @Override
    public int number() {
        return queuePairNumber;
    }

    @Override
    public QueuePairState state() {
        Presence here = guard.presence(gate);
        if (!here.enter(gate)) {
            return QueuePairState.CLOSED;
        }
        try {
            return provider.state();
        } catch (RuntimeException | Error failure) {
            LOGGER.warn("The provider has failed to tell the state of {}", this, failure);
            return QueuePairState.ERROR;
        } finally {
            here.exit();
        }
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public void postSend(SendWorkRequest request) throws RdmaException {
        PreparedSend send = PreparedSend.of(request, domain);
        Presence here = guard.presence(gate);
        if (!here.enter(gate)) {
            throw refusal();
        }
        try {
            send.check(this);
            callPostSend(send);
        } finally {
            here.exit();
        }
    }

    private void callPostSend(PreparedSend send) throws RdmaException {
        if (!posted) {
            posted = true;
        }
        try {
            provider.postSend(send);
        } catch (RuntimeException | Error failure) {
            if (failure instanceof IllegalStateException && state() == QueuePairState.INITIALIZED) {
                throw new IllegalStateException(this + " is not connected yet: wait for ESTABLISHED", failure);
            }
            throw ProviderFailure.of("a post on " + this, failure);
        }
    }

    @Override
    public void postReceive(ReceiveWorkRequest request) throws RdmaException {
        PreparedReceive receive = PreparedReceive.of(request, domain);
        if (shared) {
            throw new IllegalStateException(this + " has a shared receive queue: post the receive there");
        }
        Presence here = guard.presence(gate);
        if (!here.enter(gate)) {
            throw refusal();
        }
        try {
            receive.check(this, maxReceiveSegments);
            callPostReceive(receive);
        } finally {
            here.exit();
        }
    }

    private void callPostReceive(PreparedReceive receive) throws RdmaException {
        if (!posted) {
            posted = true;
        }
        try {
            provider.postReceive(receive);
        } catch (RuntimeException | Error failure) {
            throw ProviderFailure.of("a post on " + this, failure);
        }
    }

    @Override
    public void fail() throws RdmaException {
        Presence here = guard.presence(gate);
        if (!here.enter(gate)) {
            throw refusal();
        }
        try {
            provider.fail();
        } catch (RuntimeException | Error failure) {
            throw ProviderFailure.of("fail() of " + this, failure);
        } finally {
            here.exit();
        }
    }
}
