package org.verbena.rdma.core.verbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.verbena.rdma.Access;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.ReceiveWorkRequest;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.SharedReceiveQueue;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.spi.ProviderProtectionDomain;

/**
 * A protection domain. Its gate is above those of its queue pairs and shared receive queues: whoever is inside of it may be
 * posting a request that names its regions. The provider's domain is written once, before the object is published.
 */
final class GuardedProtectionDomain extends GuardedObject implements ProtectionDomain {
    private static final VarHandle ENDED_REGIONS;

    static {
        try {
            ENDED_REGIONS =
                    MethodHandles.lookup().findVarHandle(GuardedProtectionDomain.class, "endedRegions", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Gate gate;
    private ProviderProtectionDomain provider;
    private volatile long endedRegions;

    GuardedProtectionDomain(VerbsHome home, VerbsOwner owner, RdmaDevice view) {
        super(home, Kind.PROTECTION_DOMAIN, owner, view, List.of());
        gate = new Gate(home.named(Kind.PROTECTION_DOMAIN), home.gate());
    }

    ProviderProtectionDomain provider() {
        return provider;
    }

    /** Grows with each region that has ended, before the wait for threads that may still use it. */
    long endedRegions() {
        return endedRegions;
    }

    /** A region has got another fate than open; may be said more than once of each. */
    void regionEnded() {
        ENDED_REGIONS.getAndAdd(this, 1L);
    }

    @Override
    Gate gate() {
        return gate;
    }

    @Override
    void create() throws RdmaException {
        provider = Objects.requireNonNull(home.provider().createProtectionDomain(), NOTHING);
    }

    @Override
    boolean awaitUnused(long deadlineNanos, BooleanSupplier giveUp) {
        return true; // what is inside is inside of its children
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
    public MemoryRegion registerMemory(ByteBuffer buffer, Set<Access> access) throws RdmaException {
        EnumSet<Access> rights = EnumSet.noneOf(Access.class);
        rights.addAll(access);
        checkMemory(buffer, rights);
        ByteBuffer memory = buffer.slice();
        return home.life()
                .make(new GuardedMemoryRegion(
                        home, owner, device(), this, memory, Collections.unmodifiableSet(rights)));
    }

    private void checkMemory(ByteBuffer buffer, EnumSet<Access> rights) throws RdmaException {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException(
                    "the buffer is not direct: a device reaches memory only outside of the heap");
        }
        if (!buffer.hasRemaining()) {
            throw new IllegalArgumentException("the buffer has nothing remaining: set its position and limit");
        }
        if (buffer.isReadOnly() && !rights.isEmpty() && !rights.equals(EnumSet.of(Access.REMOTE_READ))) {
            throw new IllegalArgumentException("the buffer is read-only and cannot be registered for " + rights);
        }
        if ((rights.contains(Access.REMOTE_WRITE) || rights.contains(Access.REMOTE_ATOMIC))
                && !rights.contains(Access.LOCAL_WRITE)) {
            throw new IllegalArgumentException("a right of the peer to write needs LOCAL_WRITE as well, not " + rights);
        }
        if (buffer.remaining() > home.limits().maxRegionSize()) {
            throw new RdmaException(
                    RdmaError.TOO_LARGE,
                    "a memory region of " + buffer.remaining() + " bytes is too large: device " + home.device()
                            + " takes up to " + home.limits().maxRegionSize());
        }
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxSegments) throws RdmaException {
        DeviceLimits limits = home.limits();
        limits.checkOffers(DeviceCapability.SHARED_RECEIVE_QUEUE, "shared receive queues");
        limits.check("maxReceives", maxReceives, 1, limits.maxWorkRequests());
        limits.check("maxSegments", maxSegments, 1, limits.maxSegments());
        return home.life().make(new GuardedSharedReceiveQueue(home, owner, device(), this, maxReceives, maxSegments));
    }

    @Override
    public SendWorkRequest createSendWorkRequest(int maxSegments) {
        checkSegments(maxSegments);
        return new PreparedSend(this, maxSegments);
    }

    @Override
    public ReceiveWorkRequest createReceiveWorkRequest(int maxSegments) {
        checkSegments(maxSegments);
        return new PreparedReceive(this, maxSegments);
    }

    private void checkSegments(int maxSegments) {
        if (maxSegments < 0 || maxSegments > home.limits().maxSegments()) {
            throw new IllegalArgumentException("maxSegments=" + maxSegments + " is out of range: device "
                    + home.device() + " takes 0 to " + home.limits().maxSegments());
        }
    }
}
