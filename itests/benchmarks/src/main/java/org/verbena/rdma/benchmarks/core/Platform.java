package org.verbena.rdma.benchmarks.core;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.DevicePublisher;
import org.verbena.rdma.core.device.DeviceRank;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.core.session.Session;
import org.verbena.rdma.provider.loopback.DeviceRegistry;
import org.verbena.rdma.spi.ProviderDevice;

/** Core without a framework, and one consumer bundle that uses it. What services do is left out: nobody depends on one. */
public final class Platform implements AutoCloseable, DeviceRegistry, DevicePublisher {
    private final Core core;
    private final Session session;
    private final Map<ProviderDevice, DeviceSlot> slots = new ConcurrentHashMap<>();
    private long serviceId;

    /** Starts core as it is configured by default. */
    public Platform() {
        core = new Core(CoreConfiguration.DEFAULTS, this, destination -> null);
        session = core.openSession("benchmark.consumer", -1, CmVersion.CURRENT);
    }

    /** Reads an address that needs no name service. */
    static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }

    /**
     * Brings a device and waits until it is there.
     *
     * @param device the device
     * @throws InterruptedException if the thread is interrupted
     */
    public void plug(ProviderDevice device) throws InterruptedException {
        register(device, 0);
        await(device);
    }

    /**
     * Waits until a device is there that its provider has announced.
     *
     * @param device the device
     * @throws InterruptedException if the thread is interrupted
     */
    public void await(ProviderDevice device) throws InterruptedException {
        while (find(device.name()) == null) {
            Thread.sleep(1);
        }
    }

    /**
     * Returns a device as the consumer sees it.
     *
     * @param name its name
     * @return the device
     */
    public RdmaDevice device(String name) {
        return core.device(session, find(name));
    }

    private Device find(String name) {
        return core.devices().book().devices().stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns what the consumer makes ids with.
     *
     * @return its connection manager
     */
    public ConnectionManager connectionManager() {
        return core.connectionManager(session);
    }

    /** Runs a task as a callback of the consumer, through the same queue and threads as its events. */
    void runCallback(Runnable task) {
        session.consumer().lane().execute("benchmark", task);
    }

    @Override
    public synchronized void register(ProviderDevice device, int ranking) {
        slots.put(device, core.devices().offer(device, new DeviceRank(ranking, ++serviceId)));
    }

    @Override
    public void unregister(ProviderDevice device) {
        core.devices().withdraw(List.of(slots.remove(device)), "the benchmark takes it out");
    }

    @Override
    public void publish(Device device) {}

    @Override
    public void update(Device device) {}

    @Override
    public void unpublish(Device device) {}

    @Override
    public void close() {
        core.stop();
    }
}
