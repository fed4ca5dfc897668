package org.verbena.rdma.examples;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.DevicePublisher;
import org.verbena.rdma.core.device.DeviceRank;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.provider.loopback.DeviceConfiguration;
import org.verbena.rdma.provider.loopback.DeviceRegistry;
import org.verbena.rdma.provider.loopback.LoopbackNetwork;
import org.verbena.rdma.spi.ProviderDevice;

/** Core with one loopback device, without a framework. */
final class LoopbackBench implements AutoCloseable, DeviceRegistry, DevicePublisher {
    static final String ADDRESS = "198.18.0.1";

    private final Core core = new Core(CoreConfiguration.DEFAULTS, this, destination -> null);
    private final LoopbackNetwork network = new LoopbackNetwork(this);
    private final Map<ProviderDevice, DeviceSlot> slots = new ConcurrentHashMap<>();
    private ProviderDevice device;

    LoopbackBench() {
        plug();
    }

    void plug() {
        try {
            device = network.add(DeviceConfiguration.of("loop0", InetAddress.getByName(ADDRESS)));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
        Awaitility.await().until(() -> monitor().snapshot().devices().stream()
                .anyMatch(known -> known.condition() == Condition.PRESENT));
    }

    void unplug() {
        network.remove(device);
    }

    /** What a consumer is given. */
    ConnectionManager connectionManager() {
        return core.connectionManager(core.openSession("a.consumer", -1, CmVersion.CURRENT));
    }

    Monitor monitor() {
        return core.monitor();
    }

    @Override
    public void close() {
        network.close();
        core.stop();
    }

    @Override
    public void register(ProviderDevice announced, int ranking) {
        slots.put(announced, core.devices().offer(announced, new DeviceRank(ranking, 1)));
    }

    @Override
    public void unregister(ProviderDevice announced) {
        core.devices().withdraw(List.of(slots.remove(announced)), "the test takes it out");
    }

    @Override
    public void publish(Device published) {}

    @Override
    public void update(Device published) {}

    @Override
    public void unpublish(Device published) {}
}
