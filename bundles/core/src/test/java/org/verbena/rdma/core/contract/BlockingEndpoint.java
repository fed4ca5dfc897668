package org.verbena.rdma.core.contract;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.QueuePairResources;

/** An endpoint that blocks where core asks for its address, which core does inside of the request's upcall. */
record BlockingEndpoint(CountDownLatch inside, CountDownLatch go) implements Endpoint {
    @Override
    public InetSocketAddress localAddress() {
        inside.countDown();
        Bench.await(go);
        return new InetSocketAddress(Bench.LOCAL, 1);
    }

    @Override
    public InetSocketAddress peerAddress() {
        return new InetSocketAddress(Bench.REMOTE, 1);
    }

    @Override
    public void resolveRoute(Duration timeout) {}

    @Override
    public ProviderQueuePair createQueuePair(QueuePairResources resources, QueuePairConfiguration configuration) {
        throw new AssertionError("not asked for");
    }

    @Override
    public void connect(ConnectionParameters parameters) {}

    @Override
    public void establish() {}

    @Override
    public void accept(ConnectionParameters parameters) {}

    @Override
    public void reject(ByteBuffer privateData) {}

    @Override
    public void disconnect() {}

    @Override
    public void close() {}
}
