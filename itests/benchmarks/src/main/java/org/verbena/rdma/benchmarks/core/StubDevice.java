package org.verbena.rdma.benchmarks.core;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.Transport;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.DeviceUpcalls;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.PathUpcalls;
import org.verbena.rdma.spi.ProviderCompletionQueue;
import org.verbena.rdma.spi.ProviderDevice;
import org.verbena.rdma.spi.ProviderListener;
import org.verbena.rdma.spi.ProviderPathQuery;
import org.verbena.rdma.spi.ProviderProtectionDomain;

/**
 * A device that does next to nothing, so that what is measured is core. Whatever is asked of an endpoint is done at once,
 * and told before the call returns; peers do not exist.
 */
final class StubDevice implements ProviderDevice {
    private final String name;
    private final InetAddress address;
    private final AtomicInteger numbers = new AtomicInteger();
    private final List<StubEndpoint> endpoints = Collections.synchronizedList(new ArrayList<>());

    StubDevice(String name, String address) {
        this.name = name;
        this.address = Platform.address(address);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes attributes() {
        return new StubAttributes();
    }

    private static final class StubAttributes implements DeviceAttributes {
        @Override
        public String provider() {
            return "stub";
        }

        @Override
        public Transport transport() {
            return Transport.OTHER;
        }

        @Override
        public int maxQueuePairs() {
            return Integer.MAX_VALUE;
        }

        @Override
        public int maxPrivateData(PrivateDataCarrier message) {
            return 56;
        }

        @Override
        public boolean assignsSourcePorts() {
            return true;
        }
    }

    @Override
    public List<InetAddress> addresses() {
        return List.of(address);
    }

    @Override
    public void open(DeviceUpcalls upcalls) {}

    @Override
    public void close() {}

    @Override
    public ProviderProtectionDomain createProtectionDomain() {
        return new StubDomain();
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(int entries, CompletionUpcalls upcalls) {
        return new StubCompletionQueue(entries);
    }

    @Override
    public ProviderListener listen(
            PortSpace portSpace, InetSocketAddress local, int backlog, EndpointOptions options, ListenerUpcalls upcalls)
            throws RdmaException {
        throw new RdmaException(RdmaError.NOT_SUPPORTED, "the stub has no peers");
    }

    @Override
    public Endpoint resolve(
            PortSpace portSpace,
            InetSocketAddress source,
            InetSocketAddress destination,
            Duration timeout,
            EndpointOptions options,
            EndpointUpcalls upcalls) {
        StubEndpoint endpoint = new StubEndpoint(this, source, destination, upcalls);
        endpoints.add(endpoint);
        upcalls.addressResolved(source);
        return endpoint;
    }

    @Override
    public ProviderPathQuery queryPath(
            InetAddress source, InetAddress destination, Duration timeout, PathUpcalls upcalls) throws RdmaException {
        throw new RdmaException(RdmaError.NOT_SUPPORTED, "the stub has no paths");
    }

    /** The endpoints that were made so far, in order. */
    List<StubEndpoint> endpoints() {
        return endpoints;
    }

    int nextNumber() {
        return numbers.incrementAndGet();
    }
}
