package org.verbena.rdma.examples.mirror;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.verbena.rdma.Access;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.Path;
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
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderPathQuery;
import org.verbena.rdma.spi.ProviderProtectionDomain;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;

/**
 * A device that only reaches itself: whoever connects to its address finds a listener on it or nobody. Data are copied
 * within the post call.
 *
 * <p>One lock, {@link #lock}, guards everything on the device, so it does one thing at a time; no upcall is made with it.
 */
final class MirrorDevice implements ProviderDevice {
    static final String PROVIDER = "mirror";

    /** Of a network that is for documentation only (RFC 5737), so that no operating system has it. */
    private static final InetAddress ADDRESS = address(203, 0, 113, 1);

    /** What it is. All limits are the api's defaults. */
    private static final DeviceAttributes ATTRIBUTES = new DeviceAttributes() {
        @Override
        public String provider() {
            return PROVIDER;
        }

        @Override
        public Transport transport() {
            return Transport.OTHER;
        }

        @Override
        public long maxMessageSize() {
            return Integer.MAX_VALUE;
        }

        @Override
        public int maxPrivateData(PrivateDataCarrier message) {
            return 256;
        }
    };

    final Object lock = new Object();

    private final String name;
    private final Map<Integer, MirrorRegion> regions = new HashMap<>();
    private final Map<InetSocketAddress, MirrorListener> listeners = new HashMap<>();
    private UpcallThread upcalls;
    private int lastNumber;

    MirrorDevice(String name) {
        this.name = name;
    }

    // What it is

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes attributes() {
        return ATTRIBUTES;
    }

    @Override
    public List<InetAddress> addresses() {
        return List.of(ADDRESS);
    }

    @Override
    public LinkState linkState() {
        return LinkState.UP;
    }

    @Override
    public boolean reaches(InetAddress destination) {
        return destination.equals(ADDRESS);
    }

    // A period of use

    @Override
    public void open(DeviceUpcalls told) {
        // Nothing ever happens to a mirror by itself, so there is nothing to tell.
        upcalls = new UpcallThread(name);
    }

    @Override
    public void close() {
        upcalls.end();
    }

    // Verbs

    @Override
    public ProviderProtectionDomain createProtectionDomain() {
        return new ProviderProtectionDomain() {
            @Override
            public ProviderMemoryRegion registerMemory(ByteBuffer buffer, Set<Access> access) {
                synchronized (lock) {
                    MirrorRegion region = new MirrorRegion(MirrorDevice.this, this, ++lastNumber, buffer, access);
                    regions.put(region.remoteKey(), region);
                    return region;
                }
            }

            @Override
            public ProviderSharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxSegments)
                    throws RdmaException {
                throw new RdmaException(RdmaError.NOT_SUPPORTED, "a mirror has no shared receive queues");
            }

            @Override
            public void close() {
                // Its regions were closed before.
            }
        };
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(int entries, CompletionUpcalls told) {
        return new MirrorCompletionQueue(this, entries, told);
    }

    // Connections

    @Override
    public ProviderListener listen(
            PortSpace portSpace, InetSocketAddress local, int backlog, EndpointOptions options, ListenerUpcalls told) {
        MirrorListener listener = new MirrorListener(this, local, told);
        synchronized (lock) {
            listeners.put(local, listener);
        }
        return listener;
    }

    @Override
    public Endpoint resolve(
            PortSpace portSpace,
            InetSocketAddress source,
            InetSocketAddress destination,
            Duration timeout,
            EndpointOptions options,
            EndpointUpcalls told) {
        MirrorEndpoint endpoint = new MirrorEndpoint(this, source, destination);
        endpoint.tellTo(told);
        if (reaches(destination.getAddress())) {
            endpoint.tell(target -> target.addressResolved(source));
        } else {
            endpoint.tell(target -> target.addressError(RdmaError.NETWORK_UNREACHABLE));
        }
        return endpoint;
    }

    @Override
    public ProviderPathQuery queryPath(
            InetAddress source, InetAddress destination, Duration timeout, PathUpcalls told) {
        ProviderPathQuery query = new ProviderPathQuery() {
            @Override
            public void close() {
                upcalls.cancel(this);
            }
        };
        if (reaches(destination)) {
            upcalls.raise(query, () -> told.found(new Path(source, destination, 4096, 0, 0, 0, Duration.ZERO)));
        } else {
            upcalls.raise(query, () -> told.failed(RdmaError.NETWORK_UNREACHABLE));
        }
        return query;
    }

    // For its objects

    UpcallThread upcalls() {
        return upcalls;
    }

    /** A number of 24 bits for a queue pair; call with the lock. */
    int nextNumber() {
        return ++lastNumber & 0xFF_FFFF;
    }

    /** Call with the lock. */
    MirrorListener listener(InetSocketAddress at) {
        return listeners.get(at);
    }

    /** Call with the lock. */
    void forget(MirrorListener listener) {
        listeners.remove(listener.localAddress(), listener);
    }

    /** Call with the lock; {@code null} if there is none. */
    MirrorRegion region(int key) {
        return regions.get(key);
    }

    /** Call with the lock. */
    void forget(MirrorRegion region) {
        regions.remove(region.remoteKey());
    }

    private static InetAddress address(int... bytes) {
        try {
            return InetAddress.getByAddress(
                    new byte[] {(byte) bytes[0], (byte) bytes[1], (byte) bytes[2], (byte) bytes[3]});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}
