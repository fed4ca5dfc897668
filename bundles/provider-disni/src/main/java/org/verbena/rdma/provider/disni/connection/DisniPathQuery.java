package org.verbena.rdma.provider.disni.connection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.verbena.rdma.Path;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.disni.ConnectionNatives;
import org.verbena.rdma.provider.disni.natives.Outcome;
import org.verbena.rdma.provider.disni.upcalls.UpcallGate;
import org.verbena.rdma.spi.PathUpcalls;
import org.verbena.rdma.spi.ProviderPathQuery;

/**
 * A path query: an id that resolves address and route, and connects to nobody. The outcome comes on the event thread,
 * inside of the gate, which also keeps the id from being destroyed meanwhile; {@code over} is only touched there.
 */
public final class DisniPathQuery implements ProviderPathQuery, EventTarget {
    private final ConnectionResources resources;
    private final InetAddress source;
    private final InetAddress destination;
    private final int timeout;
    private final int mtu;
    private final PathUpcalls upcalls;
    private final UpcallGate gate = new UpcallGate();
    private final OwnId id;
    private boolean over;

    private DisniPathQuery(
            ConnectionResources resources,
            InetAddress source,
            InetAddress destination,
            int timeout,
            int mtu,
            PathUpcalls upcalls)
            throws RdmaException {
        this.resources = resources;
        this.source = source;
        this.destination = destination;
        this.timeout = timeout;
        this.mtu = mtu;
        this.upcalls = upcalls;
        id = resources.createId(PortSpace.TCP, this);
    }

    static DisniPathQuery begin(
            ConnectionResources resources,
            InetAddress source,
            InetAddress destination,
            Duration timeout,
            int mtu,
            PathUpcalls upcalls)
            throws RdmaException {
        DisniPathQuery query =
                new DisniPathQuery(resources, source, destination, DisniEndpoint.milliseconds(timeout), mtu, upcalls);
        int result = resources
                .natives()
                .resolveAddress(
                        query.id.handle(),
                        SocketAddresses.write(new InetSocketAddress(source, 0)),
                        SocketAddresses.write(new InetSocketAddress(destination, 0)),
                        query.timeout);
        if (result != 0) {
            query.close();
            throw Outcome.failure(result, "looking for a path to " + destination.getHostAddress());
        }
        return query;
    }

    @Override
    public void event(ConnectionEvent event) {
        if (!gate.enter()) {
            return;
        }
        try {
            if (!over) {
                happened(event);
            }
        } finally {
            gate.leave();
        }
    }

    private void happened(ConnectionEvent event) {
        switch (event.type()) {
            case ADDRESS_RESOLVED -> {
                int result = resources.isBoundHere(id)
                        ? resources.natives().resolveRoute(id.handle(), timeout)
                        : -RdmaError.ADDRESS_NOT_AVAILABLE.errno();
                if (result != 0) {
                    fail(Outcome.error(result));
                }
            }
            case ROUTE_RESOLVED -> {
                over = true;
                upcalls.found(path());
            }
            case ADDRESS_ERROR, ROUTE_ERROR -> fail(Outcome.error(event.status()));
            default -> {
                // not of a path query
            }
        }
    }

    private void fail(RdmaError error) {
        over = true;
        upcalls.failed(error);
    }

    private Path path() {
        int[] route = new int[ConnectionNatives.ROUTE_ATTRIBUTES];
        if (resources.natives().route(id.handle(), route) != 0) {
            return new Path(source, destination, mtu, 0, 0, 0, Duration.ZERO);
        }
        return new Path(
                source,
                destination,
                route[ConnectionNatives.ROUTE_MTU_BYTES],
                route[ConnectionNatives.ROUTE_SERVICE_LEVEL],
                route[ConnectionNatives.ROUTE_TRAFFIC_CLASS],
                route[ConnectionNatives.ROUTE_HOP_LIMIT],
                lifetime(route[ConnectionNatives.ROUTE_PACKET_LIFETIME]));
    }

    /** InfiniBand counts in powers of two of 4.096 microseconds. */
    private static Duration lifetime(int exponent) {
        return exponent <= 0 ? Duration.ZERO : Duration.ofNanos(4096L << Math.min(exponent, 40));
    }

    @Override
    public void close() {
        gate.close();
        resources.destroy(id);
    }
}
