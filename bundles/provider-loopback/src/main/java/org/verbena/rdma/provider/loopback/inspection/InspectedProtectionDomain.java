package org.verbena.rdma.provider.loopback.inspection;

import java.nio.ByteBuffer;
import java.util.Set;
import org.verbena.rdma.Access;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.loopback.fault.ObjectKind;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.provider.loopback.verbs.LoopbackProtectionDomain;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderProtectionDomain;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;

/** A protection domain under inspection. */
final class InspectedProtectionDomain implements ProviderProtectionDomain {
    private final LoopbackProtectionDomain domain;
    private final InspectedObject object;

    InspectedProtectionDomain(LoopbackProtectionDomain domain, InspectedObject object) {
        this.domain = domain;
        this.object = object;
    }

    @Override
    public ProviderMemoryRegion registerMemory(ByteBuffer buffer, Set<Access> access) throws RdmaException {
        object.enter(ProviderCall.REGISTER_MEMORY);
        try {
            return new InspectedMemoryRegion(
                    domain.registerMemory(buffer, access),
                    new InspectedObject(object.inspection(), ObjectKind.MEMORY_REGION, object));
        } finally {
            object.leave();
        }
    }

    @Override
    public ProviderSharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxSegments) throws RdmaException {
        object.enter(ProviderCall.CREATE_SHARED_RECEIVE_QUEUE);
        try {
            return new InspectedSharedReceiveQueue(
                    domain.createSharedReceiveQueue(maxReceives, maxSegments),
                    new InspectedObject(object.inspection(), ObjectKind.SHARED_RECEIVE_QUEUE, object));
        } finally {
            object.leave();
        }
    }

    @Override
    public void close() {
        object.close(ProviderCall.CLOSE_PROTECTION_DOMAIN, domain::close);
    }

    LoopbackProtectionDomain domain() {
        return domain;
    }

    InspectedObject object() {
        return object;
    }
}
