package org.verbena.rdma.provider.iwarp.device;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.Path;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.iwarp.memory.IwarpProtectionDomain;
import org.verbena.rdma.provider.iwarp.queue.CompletionRing;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.CounterSink;
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
 * An iWARP device: one network interface, or some addresses, seen as an RDMA device. Its threads run from open to close.
 *
 * <p>{@code state}, {@code gone}, {@code upcalls} and {@code open} are volatile; {@code open} and {@code upcalls} are
 * written by open and close, which core calls one at a time, the others by whoever watches the interface, one thread.
 */
public final class IwarpDevice implements ProviderDevice {
    private static final int DEFAULT_MTU = 1_500;
    private static final int LOOPBACK_HOPS = 64;

    private final String name;
    private final IwarpAttributes attributes;
    private final DeviceSettings settings;
    private volatile InterfaceState state;
    private volatile boolean gone;
    private volatile DeviceUpcalls upcalls;
    private volatile OpenDevice open;

    public IwarpDevice(String name, long guid, DeviceSettings settings, InterfaceState state) {
        this.name = name;
        this.settings = settings;
        this.state = state;
        this.attributes = new IwarpAttributes(
                guid,
                settings.maxQueuePairs(),
                settings.mpa().maxDepth(),
                settings.maxPrivateData(),
                settings.extensions());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    public List<InetAddress> addresses() {
        return state.addresses();
    }

    @Override
    public LinkState linkState() {
        return state.link();
    }

    /** The interface is as told now. */
    public void interfaceIs(InterfaceState now) {
        InterfaceState before = state;
        state = now;
        DeviceUpcalls told = upcalls;
        if (told == null) {
            return;
        }
        if (!before.addresses().equals(now.addresses())) {
            told.addressesChanged();
        }
        if (before.link() != now.link()) {
            told.linkChanged();
        }
    }

    /** The interface is gone: calls fail from now on. Whoever says so unregisters the device afterwards. */
    public void interfaceIsGone() {
        gone = true;
        DeviceUpcalls told = upcalls;
        if (told != null) {
            told.gone();
        }
    }

    @Override
    public void open(DeviceUpcalls toTell) throws RdmaException {
        checkPresent();
        try {
            open = new OpenDevice(name, settings, () -> state.mtu());
        } catch (IOException e) {
            throw new RdmaException(RdmaError.NO_MEMORY, "the operating system has no selector left for " + name, e);
        }
        upcalls = toTell;
    }

    @Override
    public void close() {
        upcalls = null;
        OpenDevice was = open;
        open = null;
        if (was != null) {
            was.stop();
        }
    }

    @Override
    public void readCounters(CounterSink sink) {
        OpenDevice now = open;
        if (now != null) {
            now.tellCounters(sink);
        }
    }

    @Override
    public ProviderProtectionDomain createProtectionDomain() throws RdmaException {
        return new IwarpProtectionDomain(present().stags());
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(int entries, CompletionUpcalls toTell) throws RdmaException {
        present();
        return new CompletionRing(entries, toTell);
    }

    @Override
    public ProviderListener listen(
            PortSpace portSpace, InetSocketAddress local, int backlog, EndpointOptions options, ListenerUpcalls toTell)
            throws RdmaException {
        OpenDevice device = present();
        checkPortSpace(portSpace);
        ServerSocketChannel channel = null;
        try {
            channel = ServerSocketChannel.open(Route.family(local.getAddress()));
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.configureBlocking(false);
            settings.buffers().applyTo(channel);
            channel.bind(local, backlog);
            IwarpListener listener = new IwarpListener(
                    device,
                    device.loops().next(),
                    channel,
                    (InetSocketAddress) channel.getLocalAddress(),
                    options.typeOfService(),
                    toTell);
            listener.start();
            return listener;
        } catch (IOException | RuntimeException e) {
            closeQuietly(channel);
            throw cannotListen(local, e);
        }
    }

    @Override
    public Endpoint resolve(
            PortSpace portSpace,
            InetSocketAddress source,
            InetSocketAddress destination,
            Duration timeout,
            EndpointOptions options,
            EndpointUpcalls toTell)
            throws RdmaException {
        OpenDevice device = present();
        checkPortSpace(portSpace);
        if (Route.family(source.getAddress()) != Route.family(destination.getAddress())) {
            throw new RdmaException(
                    RdmaError.INVALID_ARGUMENT,
                    "source " + Route.text(source) + " and destination " + Route.text(destination)
                            + " are of different families");
        }
        ActiveEndpoint endpoint = new ActiveEndpoint(device, device.nextLoop(), source, destination, options, toTell);
        endpoint.resolved();
        return endpoint;
    }

    @Override
    public ProviderPathQuery queryPath(
            InetAddress source, InetAddress destination, Duration timeout, PathUpcalls toTell) throws RdmaException {
        OpenDevice device = present();
        AtomicBoolean closed = new AtomicBoolean();
        var loop = device.loops().next();
        loop.execute(() -> {
            if (!closed.get()) {
                answer(source, destination, toTell);
            }
        });
        return () -> {
            closed.set(true);
            // What runs on the loop already has ended when this has.
            loop.executeAndWait(() -> {});
        };
    }

    private void answer(InetAddress source, InetAddress destination, PathUpcalls toTell) {
        RdmaError error = Route.find(source, destination);
        if (error != RdmaError.SUCCESS) {
            toTell.failed(error);
            return;
        }
        int mtu = state.mtu() > 0 ? state.mtu() : DEFAULT_MTU;
        toTell.found(new Path(source, destination, mtu, 0, 0, LOOPBACK_HOPS, Duration.ZERO));
    }

    private OpenDevice present() throws RdmaException {
        checkPresent();
        OpenDevice now = open;
        if (now == null) {
            throw new RdmaException(RdmaError.NO_DEVICE, "device " + name + " is not open");
        }
        return now;
    }

    private void checkPresent() throws RdmaException {
        if (gone) {
            throw new RdmaException(RdmaError.NO_DEVICE, "the network interface of device " + name + " is gone");
        }
    }

    private static void checkPortSpace(PortSpace portSpace) throws RdmaException {
        if (portSpace != PortSpace.TCP) {
            throw new RdmaException(RdmaError.NOT_SUPPORTED, "iWARP has the port space TCP only, not " + portSpace);
        }
    }

    /** Java has one exception for several errors of bind, told apart by the text of the operating system alone. */
    private static RdmaException cannotListen(InetSocketAddress local, Exception cause) {
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof BindException && message.contains("assign")) {
            return new RdmaException(
                    RdmaError.ADDRESS_NOT_AVAILABLE,
                    "the machine does not have the address " + Route.text(local),
                    cause);
        }
        if (message.contains("ermission")) {
            return new RdmaException(
                    RdmaError.ACCESS_DENIED,
                    "the operating system does not let you listen at " + Route.text(local),
                    cause);
        }
        if (cause instanceof BindException) {
            return new RdmaException(
                    RdmaError.ADDRESS_IN_USE,
                    "another program has " + Route.text(local) + ": choose another port",
                    cause);
        }
        return new RdmaException(
                RdmaError.INPUT_OUTPUT, "cannot listen at " + Route.text(local) + ": " + message, cause);
    }

    private static void closeQuietly(ServerSocketChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // It was never used.
            }
        }
    }
}
