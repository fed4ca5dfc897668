package org.verbena.rdma.core.verbs;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.verbena.rdma.Access;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.spi.ProviderMemoryRegion;

/**
 * A memory region. It has no calls of its own and so no gate: posts name it. Inside the gate of their queue, after the
 * fence there, they read the domain's count of regions that are over, and the fate of their own if it has changed; who
 * ends the region writes its fate, then the count, and then waits, after a fence, until each thread that is posting
 * anything in the domain has left once. So either the post sees that the region is over, or the end waits for the post.
 *
 * <p>The buffer is written once, and taken away once when the provider does not touch it any more: until then this keeps
 * it alive, and {@link KeptMemory} does if that is never.
 */
final class GuardedMemoryRegion extends GuardedObject implements MemoryRegion {
    private final GuardedProtectionDomain domain;
    private final long length;
    private final Set<Access> access;
    private final boolean localWrite;
    private volatile ByteBuffer buffer;
    private ProviderMemoryRegion provider;
    private long remoteAddress;
    private int remoteKey;

    GuardedMemoryRegion(
            VerbsHome home,
            VerbsOwner owner,
            RdmaDevice view,
            GuardedProtectionDomain domain,
            ByteBuffer buffer,
            Set<Access> access) {
        super(home, Kind.MEMORY_REGION, owner, view, List.of(domain));
        this.domain = domain;
        this.buffer = buffer;
        this.length = buffer.capacity();
        this.access = access;
        this.localWrite = access.contains(Access.LOCAL_WRITE);
    }

    /** Whether work may name this. */
    boolean isUsable() {
        return fate == Fate.OPEN;
    }

    boolean isLocallyWritable() {
        return localWrite;
    }

    GuardedProtectionDomain domain() {
        return domain;
    }

    ProviderMemoryRegion provider() {
        return provider;
    }

    @Override
    Gate gate() {
        return null;
    }

    @Override
    void create() throws RdmaException {
        provider = Objects.requireNonNull(domain.provider().registerMemory(buffer, access), NOTHING);
        remoteAddress = provider.remoteAddress();
        remoteKey = provider.remoteKey();
    }

    @Override
    boolean awaitUnused(long deadlineNanos, BooleanSupplier giveUp) {
        // Whoever has ended it, and however: a post that is not waited for looks at its regions again.
        domain.regionEnded();
        return home.guard().awaitPassed(domain.gate(), deadlineNanos, giveUp);
    }

    @Override
    void stopped() {
        domain.regionEnded();
    }

    @Override
    void release() {
        ProviderMemoryRegion closing = provider;
        if (closing != null) {
            closing.close();
        }
    }

    @Override
    ByteBuffer memory() {
        return buffer;
    }

    @Override
    void settled() {
        buffer = null;
        if (!home.life().isAbandoned()) {
            provider = null;
        }
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public long remoteAddress() {
        return remoteAddress;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    @Override
    public Set<Access> access() {
        return access;
    }
}
