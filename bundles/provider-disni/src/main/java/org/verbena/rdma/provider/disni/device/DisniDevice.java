package org.verbena.rdma.provider.disni.device;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.provider.disni.connection.DisniEndpoint;
import org.verbena.rdma.provider.disni.connection.DisniListener;
import org.verbena.rdma.provider.disni.connection.DisniPathQuery;
import org.verbena.rdma.provider.disni.natives.Natives;
import org.verbena.rdma.provider.disni.verbs.DisniCompletionQueue;
import org.verbena.rdma.provider.disni.verbs.DisniProtectionDomain;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.DeviceUpcalls;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.PathUpcalls;
import org.verbena.rdma.spi.ProviderDevice;

/**
 * A device of the kernel. While it is not open nothing of it is open here, so that it can be removed from the system.
 *
 * <p>{@code open} is exchanged by core's calls of open and close, which are a pair, and read by others; {@code gone} is
 * set once. {@code known} is only used by the thread that looks for changes of addresses.
 */
public final class DisniDevice implements ProviderDevice {
    private static final Logger LOG = LoggerFactory.getLogger(DisniDevice.class);
    private static final int PORT_ACTIVE = 4;
    private static final int PORT_ACTIVE_DEFER = 5;

    private final String name;
    private final DisniAttributes attributes;
    private final Natives natives;
    private final PortAddresses portAddresses;
    private final Runnable going;
    private final AtomicReference<OpenDevice> open = new AtomicReference<>();
    private volatile boolean gone;
    private List<InetAddress> known = List.of();

    private DisniDevice(String name, DisniAttributes attributes, Natives natives, Runnable going) {
        this.name = name;
        this.attributes = attributes;
        this.natives = natives;
        this.going = going;
        portAddresses = new PortAddresses(natives.verbs(), name, attributes.ports());
    }

    /**
     * Makes a device.
     *
     * @param name its name
     * @param natives the natives
     * @param going run, on a thread of the device, when it says that it goes
     * @return a new device
     * @throws RdmaException if it cannot be asked what it is
     */
    public static DisniDevice find(String name, Natives natives, Runnable going) throws RdmaException {
        return new DisniDevice(name, DisniAttributes.ask(natives.verbs(), name), natives, going);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DisniAttributes attributes() {
        return attributes;
    }

    @Override
    public List<InetAddress> addresses() {
        return portAddresses.read();
    }

    @Override
    public LinkState linkState() {
        OpenDevice opened = open.get();
        if (opened == null || gone) {
            return LinkState.UNKNOWN;
        }
        LinkState state = LinkState.DOWN;
        for (int port = 1; port <= attributes.ports(); port++) {
            long[] found = new long[VerbsNatives.PORT_ATTRIBUTES];
            if (natives.verbs().queryPort(opened.verbs().context(), port, found) != 0) {
                return LinkState.UNKNOWN;
            }
            if (found[VerbsNatives.PORT_STATE] == PORT_ACTIVE || found[VerbsNatives.PORT_STATE] == PORT_ACTIVE_DEFER) {
                state = LinkState.UP;
            }
        }
        return state;
    }

    @Override
    public void open(DeviceUpcalls upcalls) throws RdmaException {
        checkPresent();
        OpenDevice opened = OpenDevice.open(name, attributes.transport(), natives, upcalls, going);
        if (!open.compareAndSet(null, opened)) {
            opened.close();
            throw new RdmaException(RdmaError.BUSY, "device " + name + " is open already");
        }
    }

    @Override
    public void close() {
        OpenDevice closing = open.getAndSet(null);
        if (closing != null) {
            closing.close();
            release();
        }
    }

    @Override
    public DisniProtectionDomain createProtectionDomain() throws RdmaException {
        return opened().verbs().createProtectionDomain();
    }

    @Override
    public DisniCompletionQueue createCompletionQueue(int entries, CompletionUpcalls upcalls) throws RdmaException {
        return opened().verbs().createCompletionQueue(entries, upcalls);
    }

    @Override
    public DisniListener listen(
            PortSpace portSpace, InetSocketAddress local, int backlog, EndpointOptions options, ListenerUpcalls upcalls)
            throws RdmaException {
        return opened().connections().listen(portSpace, local, backlog, options, upcalls);
    }

    @Override
    public DisniEndpoint resolve(
            PortSpace portSpace,
            InetSocketAddress source,
            InetSocketAddress destination,
            Duration timeout,
            EndpointOptions options,
            EndpointUpcalls upcalls)
            throws RdmaException {
        return opened().connections().resolve(portSpace, source, destination, timeout, options, upcalls);
    }

    @Override
    public DisniPathQuery queryPath(InetAddress source, InetAddress destination, Duration timeout, PathUpcalls upcalls)
            throws RdmaException {
        return opened().connections().queryPath(source, destination, timeout, portAddresses.mtu(), upcalls);
    }

    private OpenDevice opened() throws RdmaException {
        checkPresent();
        OpenDevice opened = open.get();
        if (opened == null) {
            throw new RdmaException(RdmaError.NO_DEVICE, "device " + name + " is not open");
        }
        return opened;
    }

    private void checkPresent() throws RdmaException {
        if (gone) {
            throw new RdmaException(RdmaError.NO_DEVICE, "device " + name + " is gone from the system");
        }
    }

    /** The device is gone: calls fail from now on, and core is told. Its removal is for who has called. */
    public void vanish() {
        gone = true;
        OpenDevice opened = open.get();
        if (opened == null) {
            release();
        } else {
            opened.tell(DeviceUpcalls::gone);
        }
    }

    /** librdmacm keeps open what it has seen, and a device cannot be removed from the system meanwhile. */
    private void release() {
        if (gone) {
            natives.connections().releaseDevice(name);
        }
        natives.connections().releaseDevices();
    }

    /** Tells core if the addresses have changed since the last call. Called by one thread. */
    public void lookForChangedAddresses() {
        OpenDevice opened = open.get();
        if (opened == null || gone) {
            return;
        }
        List<InetAddress> now = portAddresses.read();
        if (!now.equals(known)) {
            LOG.debug("addresses of device {}: {}", name, now);
            known = now;
            opened.tell(DeviceUpcalls::addressesChanged);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
