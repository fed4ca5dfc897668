package org.verbena.rdma.core.verbs;

import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.ReceiveWorkRequest;
import org.verbena.rdma.SharedReceiveQueue;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.guard.Presence;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;

/** A shared receive queue. The gate guards the provider's queue, which is written once, before this is published. */
final class GuardedSharedReceiveQueue extends GuardedObject implements SharedReceiveQueue {
    private final GuardedProtectionDomain domain;
    private final int maxReceives;
    private final int maxSegments;
    private final Guard guard;
    private final Gate gate;
    private ProviderSharedReceiveQueue provider;

    GuardedSharedReceiveQueue(
            VerbsHome home,
            VerbsOwner owner,
            RdmaDevice view,
            GuardedProtectionDomain domain,
            int maxReceives,
            int maxSegments) {
        super(home, Kind.SHARED_RECEIVE_QUEUE, owner, view, List.of(domain));
        this.domain = domain;
        this.maxReceives = maxReceives;
        this.maxSegments = maxSegments;
        guard = home.guard();
        gate = new Gate(home.named(Kind.SHARED_RECEIVE_QUEUE), domain.gate());
    }

    ProviderSharedReceiveQueue provider() {
        return provider;
    }

    @Override
    Gate gate() {
        return gate;
    }

    @Override
    void create() throws RdmaException {
        provider =
                Objects.requireNonNull(domain.provider().createSharedReceiveQueue(maxReceives, maxSegments), NOTHING);
    }

    @Override
    boolean awaitUnused(long deadlineNanos, BooleanSupplier giveUp) {
        return guard.awaitOutside(gate, deadlineNanos, giveUp);
    }

    @Override
    void release() {
        if (provider != null) {
            provider.close();
        }
    }

    @Override
    void settled() {
        if (!home.life().isAbandoned()) {
            provider = null;
        }
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public void postReceive(ReceiveWorkRequest request) throws RdmaException {
        PreparedReceive receive = PreparedReceive.of(request, domain);
        Presence here = guard.presence(gate);
        if (!here.enter(gate)) {
            throw refusal();
        }
        try {
            receive.check(this, maxSegments);
            callPost(receive);
        } finally {
            here.exit();
        }
    }

    private void callPost(PreparedReceive receive) throws RdmaException {
        try {
            provider.postReceive(receive);
        } catch (RuntimeException | Error failure) {
            throw ProviderFailure.of("a post on " + this, failure);
        }
    }
}
