package org.verbena.rdma.provider.iwarp.peer;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.Access;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.iwarp.device.InterfaceState;
import org.verbena.rdma.provider.iwarp.device.IwarpDevice;
import org.verbena.rdma.spi.DeviceUpcalls;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.ProviderDevice;
import org.verbena.rdma.spi.ProviderListener;
import org.verbena.rdma.spi.ProviderProtectionDomain;

/** An open device on the loopback interface, with a protection domain and a listener, used as core would use it. */
public final class TestDevice implements AutoCloseable {
    /** A request as it came in. */
    public record Asked(Endpoint endpoint, ConnectionParameters parameters, Events events) {}

    private final IwarpDevice device;
    private ProviderProtectionDomain domain;
    private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
    private volatile boolean takesRequests = true;

    public TestDevice(Settings settings) throws RdmaException {
        device = new IwarpDevice(
                "iwarp-test",
                0,
                settings.toDevice(),
                new InterfaceState(List.of(InetAddress.getLoopbackAddress(), address("::1")), LinkState.UP, 65_536));
        openDevice();
    }

    private void openDevice() throws RdmaException {
        device.open(new DeviceUpcalls() {
            @Override
            public void addressesChanged() {}

            @Override
            public void linkChanged() {}

            @Override
            public void gone() {}
        });
        domain = device.createProtectionDomain();
    }

    /** Closes the device, as often as it may be, and opens it again. */
    public void reopen() throws RdmaException {
        device.close();
        openDevice();
    }

    public static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (java.net.UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }

    public ProviderDevice device() {
        return device;
    }

    public ProviderProtectionDomain domain() {
        return domain;
    }

    public Memory memory(int bytes) throws RdmaException {
        return memory(bytes, EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE));
    }

    public Memory memory(int bytes, Set<Access> access) throws RdmaException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        return new Memory(buffer, domain.registerMemory(buffer.duplicate(), access));
    }

    public void takesRequests(boolean takes) {
        takesRequests = takes;
    }

    public ProviderListener listen(String address, int port) throws RdmaException {
        return listen(address, port, 16);
    }

    public ProviderListener listen(String address, int port, int backlog) throws RdmaException {
        return device.listen(
                PortSpace.TCP,
                new InetSocketAddress(address(address), port),
                backlog,
                EndpointOptions.DEFAULTS,
                new ListenerUpcalls() {
                    @Override
                    public EndpointUpcalls request(Endpoint endpoint, ConnectionParameters parameters) {
                        if (!takesRequests) {
                            return null;
                        }
                        Events events = new Events();
                        asked.add(new Asked(endpoint, parameters, events));
                        return events;
                    }

                    @Override
                    public void addressChanged() {
                        throw new AssertionError("there is no such event on TCP");
                    }
                });
    }

    public Asked nextRequest() throws InterruptedException {
        Asked next = asked.poll(20, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no request has come");
        }
        return next;
    }

    public boolean hasRequest() {
        return !asked.isEmpty();
    }

    /** Begins to connect from the address of the same family. */
    public Side connecting(InetSocketAddress destination, ConnectionParameters parameters)
            throws RdmaException, InterruptedException {
        Side side = resolved(destination, Side.Sizes.DEFAULTS);
        side.endpoint().connect(parameters);
        return side;
    }

    /** An endpoint with its queue pair, ready to connect. */
    public Side resolved(InetSocketAddress destination, Side.Sizes sizes) throws RdmaException, InterruptedException {
        Events events = new Events();
        Endpoint endpoint = resolve(destination, events);
        return new Side(this, endpoint, events, sizes);
    }

    public Endpoint resolve(InetSocketAddress destination, Events events) throws RdmaException, InterruptedException {
        return resolve(0, destination, events);
    }

    /** The same from a source port of the test's choice. */
    public Endpoint resolve(int sourcePort, InetSocketAddress destination, Events events)
            throws RdmaException, InterruptedException {
        boolean ipv4 = destination.getAddress().getAddress().length == 4;
        Endpoint endpoint = device.resolve(
                PortSpace.TCP,
                new InetSocketAddress(address(ipv4 ? "127.0.0.1" : "::1"), sourcePort),
                destination,
                Duration.ofSeconds(2),
                EndpointOptions.DEFAULTS,
                events);
        events.next("addressResolved");
        endpoint.resolveRoute(Duration.ofSeconds(2));
        events.next("routeResolved");
        return endpoint;
    }

    public static ConnectionParameters parameters(String privateData) {
        return ConnectionParameters.defaults()
                .withPrivateData(ByteBuffer.wrap(privateData.getBytes(StandardCharsets.UTF_8)))
                .withResources(16, 16);
    }

    @Override
    public void close() {
        domain.close();
        device.close();
    }
}
