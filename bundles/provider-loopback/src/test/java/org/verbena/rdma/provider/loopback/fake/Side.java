package org.verbena.rdma.provider.loopback.fake;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.verbena.rdma.Access;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.ProviderCompletionQueue;
import org.verbena.rdma.spi.ProviderDevice;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderProtectionDomain;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;
import org.verbena.rdma.spi.QueuePairResources;

/** The verbs objects of one side of a connection, with 256 bytes of memory that allow everything. */
public final class Side {
    public static final int SIZE = 256;

    private final ProviderDevice device;
    private final ProviderProtectionDomain domain;
    private final ProviderCompletionQueue sends;
    private final ProviderCompletionQueue receives;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
    private final ProviderMemoryRegion region;
    private int notifications;
    private ProviderSharedReceiveQueue sharedReceiveQueue;
    private Endpoint endpoint;
    private Events events;
    private ProviderQueuePair queuePair;

    public Side(ProviderDevice device, int entries) throws RdmaException {
        this.device = device;
        domain = device.createProtectionDomain();
        sends = device.createCompletionQueue(entries, () -> notifications++);
        receives = device.createCompletionQueue(entries, () -> notifications++);
        region = register(buffer, EnumSet.allOf(Access.class));
    }

    public Side(ProviderDevice device) throws RdmaException {
        this(device, 64);
    }

    public ProviderMemoryRegion register(ByteBuffer memory, Set<Access> access) throws RdmaException {
        return domain.registerMemory(memory, access);
    }

    public Side sharedReceiveQueue(ProviderSharedReceiveQueue queue) {
        sharedReceiveQueue = queue;
        return this;
    }

    public Side endpoint(Endpoint newEndpoint, Events newEvents) {
        endpoint = newEndpoint;
        events = newEvents;
        return this;
    }

    public ProviderQueuePair createQueuePair() throws RdmaException {
        return createQueuePair(Core.sizes().withSegments(4, 4).withInlineData(32));
    }

    public ProviderQueuePair createQueuePair(QueuePairConfiguration configuration) throws RdmaException {
        queuePair = endpoint.createQueuePair(
                new QueuePairResources(domain, sends, receives, sharedReceiveQueue), configuration);
        return queuePair;
    }

    /** Closes all, children first. */
    public void close() {
        queuePair.close();
        endpoint.close();
        region.close();
        sends.close();
        receives.close();
        if (sharedReceiveQueue != null) {
            sharedReceiveQueue.close();
        }
        domain.close();
    }

    public ProviderDevice device() {
        return device;
    }

    public ProviderProtectionDomain domain() {
        return domain;
    }

    public ProviderCompletionQueue sends() {
        return sends;
    }

    public ProviderCompletionQueue receives() {
        return receives;
    }

    public List<String> sent() throws RdmaException {
        return Completions.named(sends);
    }

    public List<String> received() throws RdmaException {
        return Completions.named(receives);
    }

    public ByteBuffer buffer() {
        return buffer;
    }

    public ProviderMemoryRegion region() {
        return region;
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    public Events events() {
        return events;
    }

    public ProviderQueuePair queuePair() {
        return queuePair;
    }

    public int notifications() {
        return notifications;
    }
}
