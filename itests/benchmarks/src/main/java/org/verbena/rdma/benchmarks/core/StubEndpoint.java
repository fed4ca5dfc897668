package org.verbena.rdma.benchmarks.core;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.QueuePairResources;

/** An endpoint of a {@link StubDevice}. */
final class StubEndpoint implements Endpoint {
    private final StubDevice device;
    private final InetSocketAddress local;
    private final InetSocketAddress peer;
    private final EndpointUpcalls upcalls;

    StubEndpoint(StubDevice device, InetSocketAddress local, InetSocketAddress peer, EndpointUpcalls upcalls) {
        this.device = device;
        this.local = local;
        this.peer = peer;
        this.upcalls = upcalls;
    }

    /** Where to raise events; by one thread at a time. */
    EndpointUpcalls upcalls() {
        return upcalls;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public InetSocketAddress peerAddress() {
        return peer;
    }

    @Override
    public void resolveRoute(Duration timeout) {
        upcalls.routeResolved();
    }

    @Override
    public ProviderQueuePair createQueuePair(QueuePairResources resources, QueuePairConfiguration configuration) {
        return new StubQueuePair(device.nextNumber());
    }

    @Override
    public void connect(ConnectionParameters parameters) {
        upcalls.established(parameters);
    }

    @Override
    public void establish() {}

    @Override
    public void accept(ConnectionParameters parameters) {
        upcalls.established(parameters);
    }

    @Override
    public void reject(ByteBuffer privateData) {}

    @Override
    public void disconnect() {
        upcalls.disconnected(RdmaError.SUCCESS);
    }

    @Override
    public void close() {}
}
