package org.verbena.rdma.provider.iwarp.peer;

import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairType;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;
import org.verbena.rdma.spi.QueuePairResources;

/** One end of a connection in a test: endpoint, queue pair and a completion queue for each direction. */
public final class Side implements AutoCloseable {
    /** How large the queues are. */
    public record Sizes(int sends, int receives, int segments, int completions, ProviderSharedReceiveQueue shared) {
        public static final Sizes DEFAULTS = new Sizes(64, 64, 8, 256, null);
    }

    private final TestDevice device;
    private final Endpoint endpoint;
    private final Events events;
    private final Completions sends;
    private final Completions receives;
    private ProviderQueuePair queuePair;
    private boolean endpointOpen = true;

    public Side(TestDevice device, Endpoint endpoint, Events events, Sizes sizes) throws RdmaException {
        this(device, endpoint, events, sizes, true);
    }

    public Side(TestDevice device, Endpoint endpoint, Events events, Sizes sizes, boolean withQueuePair)
            throws RdmaException {
        this.device = device;
        this.endpoint = endpoint;
        this.events = events;
        this.sends = new Completions(device.device(), sizes.completions());
        this.receives = new Completions(device.device(), sizes.completions());
        if (withQueuePair) {
            createQueuePair(sizes);
        }
    }

    public void createQueuePair(Sizes sizes) throws RdmaException {
        NoCompletionQueue unused = new NoCompletionQueue();
        queuePair = endpoint.createQueuePair(
                new QueuePairResources(device.domain(), sends.queue(), receives.queue(), sizes.shared()),
                new QueuePairConfiguration(
                        QueuePairType.RELIABLE_CONNECTED,
                        unused,
                        unused,
                        null,
                        sizes.sends(),
                        sizes.receives(),
                        sizes.segments(),
                        sizes.segments(),
                        0));
    }

    public TestDevice device() {
        return device;
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    public Events events() {
        return events;
    }

    public Completions sends() {
        return sends;
    }

    public Completions receives() {
        return receives;
    }

    public ProviderQueuePair queuePair() {
        return queuePair;
    }

    public void send(Request request) throws RdmaException {
        queuePair.postSend(request);
    }

    public void receive(Request request) throws RdmaException {
        queuePair.postReceive(request);
    }

    public void closeQueuePair() {
        if (queuePair != null) {
            queuePair.close();
            queuePair = null;
        }
    }

    @Override
    public void close() {
        closeQueuePair();
        if (endpointOpen) {
            endpointOpen = false;
            endpoint.close();
        }
        sends.queue().close();
        receives.queue().close();
    }
}
