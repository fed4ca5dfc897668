package org.verbena.rdma.provider.loopback.fake;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.loopback.DeviceConfiguration;
import org.verbena.rdma.provider.loopback.LoopbackNetwork;
import org.verbena.rdma.spi.DeviceUpcalls;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.ProviderDevice;
import org.verbena.rdma.spi.ProviderListener;

/** A network of two open devices, and what core would do with them, step by step. */
public final class Core {
    public static final int PORT = 7174;

    private final ManualExecutor upcalls = new ManualExecutor();
    private final ManualTimer timer = new ManualTimer();
    private final Registry registry = new Registry();
    private final LoopbackNetwork network;
    private final List<String> deviceEvents = new CopyOnWriteArrayList<>();
    private final DeviceUpcalls deviceUpcalls = new DeviceUpcalls() {
        @Override
        public void addressesChanged() {
            deviceEvents.add("addressesChanged");
        }

        @Override
        public void linkChanged() {
            deviceEvents.add("linkChanged");
        }

        @Override
        public void gone() {
            deviceEvents.add("gone");
        }
    };
    private int lastPort = 50_000;

    public Core() {
        network = new LoopbackNetwork(registry, upcalls, Runnable::run, timer);
    }

    public static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public ProviderDevice add(String name, String address) throws RdmaException {
        return add(DeviceConfiguration.of(name, address(address)));
    }

    public ProviderDevice add(DeviceConfiguration configuration) throws RdmaException {
        ProviderDevice device = network.add(configuration);
        device.open(deviceUpcalls);
        return device;
    }

    public LoopbackNetwork network() {
        return network;
    }

    public Registry registry() {
        return registry;
    }

    public ManualExecutor upcalls() {
        return upcalls;
    }

    public ManualTimer timer() {
        return timer;
    }

    public DeviceUpcalls deviceUpcalls() {
        return deviceUpcalls;
    }

    public List<String> deviceEvents() {
        return deviceEvents;
    }

    /** Lets time pass and makes the upcalls. */
    public void pass(Duration time) {
        upcalls.runAll();
        timer.pass(time);
        upcalls.runAll();
    }

    public static InetSocketAddress at(ProviderDevice device) {
        return new InetSocketAddress(device.addresses().get(0), PORT);
    }

    public ProviderListener listen(ProviderDevice device, Requests requests) throws RdmaException {
        return listen(device, 16, requests);
    }

    public ProviderListener listen(ProviderDevice device, int backlog, Requests requests) throws RdmaException {
        return device.listen(PortSpace.TCP, at(device), backlog, EndpointOptions.DEFAULTS, requests);
    }

    public Endpoint resolve(ProviderDevice device, InetSocketAddress destination, Events events) throws RdmaException {
        return device.resolve(
                PortSpace.TCP,
                new InetSocketAddress(device.addresses().get(0), ++lastPort),
                destination,
                Duration.ofSeconds(1),
                EndpointOptions.DEFAULTS,
                events);
    }

    public static ConnectionParameters parameters() {
        return ConnectionParameters.defaults().withResources(4, 4);
    }

    /** The sizes of a queue pair, with completion queues that nobody looks at. */
    public static QueuePairConfiguration sizes() {
        return QueuePairConfiguration.reliable(nothing(CompletionQueue.class));
    }

    /** An object of core's that a provider must not touch. */
    public static <T> T nothing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            throw new AssertionError("a provider has called " + method);
        }));
    }
}
