package org.verbena.rdma.rping.command;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.DevicePublisher;
import org.verbena.rdma.core.device.DeviceRank;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.core.session.Session;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.provider.loopback.DeviceConfiguration;
import org.verbena.rdma.provider.loopback.DeviceRegistry;
import org.verbena.rdma.provider.loopback.LoopbackNetwork;
import org.verbena.rdma.spi.ProviderDevice;

/** Core with one loopback device, without a framework, and rping components as Declarative Services would make them. */
final class LoopbackBench implements AutoCloseable, DeviceRegistry, DevicePublisher {
    static final String DEVICE = "loop0";
    static final String ADDRESS = "198.18.0.1";

    final Core core = new Core(CoreConfiguration.DEFAULTS, this, destination -> null);
    final LoopbackNetwork network = new LoopbackNetwork(this);

    private final Map<ProviderDevice, DeviceSlot> slots = new ConcurrentHashMap<>();
    private final List<RpingCommand> components = new CopyOnWriteArrayList<>();
    private final Map<RpingCommand, Session> sessions = new ConcurrentHashMap<>();
    private ProviderDevice device;

    LoopbackBench() {
        plug();
    }

    /** The device comes, and is there when this returns. */
    void plug() {
        device = network.add(DeviceConfiguration.of(DEVICE, address()));
        Awaitility.await().until(() -> monitor().snapshot().devices().stream()
                .map(DeviceSnapshot::condition)
                .anyMatch(Condition.PRESENT::equals));
    }

    /** The device goes, and is gone when this returns. */
    void unplug() {
        network.remove(device);
    }

    Monitor monitor() {
        return core.monitor();
    }

    RpingCommand activate() {
        Session session = core.openSession("org.verbena.rdma.rping", -1, CmVersion.CURRENT);
        RpingCommand component = new RpingCommand(core.connectionManager(session));
        sessions.put(component, session);
        components.add(component);
        return component;
    }

    void deactivate(RpingCommand component) {
        components.remove(component);
        component.deactivate();
        core.endSession(sessions.remove(component));
    }

    @Override
    public void close() {
        components.forEach(this::deactivate);
        network.close();
        core.stop();
    }

    @Override
    public void register(ProviderDevice announced, int ranking) {
        slots.put(announced, core.devices().offer(announced, new DeviceRank(ranking, slots.size() + 1)));
    }

    @Override
    public void unregister(ProviderDevice announced) {
        core.devices().withdraw(List.of(slots.remove(announced)), "the test takes it out");
    }

    @Override
    public void publish(Device published) {
        components.forEach(component -> component.bindDevice(null));
    }

    @Override
    public void update(Device published) {
        components.forEach(component -> component.updatedDevice(null));
    }

    @Override
    public void unpublish(Device published) {
        components.forEach(component -> component.unbindDevice(null));
    }

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static InetAddress address() {
        try {
            return InetAddress.getByName(ADDRESS);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
