package org.verbena.rdma.provider.loopback.osgi;

import java.util.Dictionary;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.service.cm.ConfigurationException;
import org.osgi.service.cm.ManagedServiceFactory;
import org.verbena.rdma.provider.loopback.DeviceConfiguration;
import org.verbena.rdma.provider.loopback.LoopbackNetwork;
import org.verbena.rdma.provider.loopback.fault.DeviceFaults;
import org.verbena.rdma.spi.ProviderDevice;

/**
 * One device per configuration. Config Admin calls one method at a time; the map is safe by itself and not touched while
 * the network is called.
 */
final class ConfiguredDevices implements ManagedServiceFactory {
    private record Configured(DeviceConfiguration configuration, ProviderDevice device) {}

    private final LoopbackNetwork network;
    private final Map<String, Configured> devices = new ConcurrentHashMap<>();

    ConfiguredDevices(LoopbackNetwork network) {
        this.network = network;
    }

    @Override
    public String getName() {
        return "Verbena loopback devices";
    }

    @Override
    public void updated(String pid, Dictionary<String, ?> properties) throws ConfigurationException {
        DeviceConfiguration wanted = new DeviceReader(pid, properties).read();
        Configured present = devices.get(pid);
        checkName(pid, wanted.name());
        if (present != null && isSameDevice(present.configuration(), wanted)) {
            change(present.configuration(), wanted);
            devices.put(pid, new Configured(wanted, present.device()));
        } else {
            deleted(pid);
            devices.put(pid, new Configured(wanted, network.add(wanted)));
        }
    }

    @Override
    public void deleted(String pid) {
        Configured removed = devices.remove(pid);
        if (removed != null) {
            network.remove(removed.device());
        }
    }

    private void checkName(String pid, String name) throws ConfigurationException {
        for (Map.Entry<String, Configured> other : devices.entrySet()) {
            if (!other.getKey().equals(pid)
                    && other.getValue().configuration().name().equals(name)) {
                throw new ConfigurationException(
                        DeviceReader.NAME, "device " + name + " is configured by " + other.getKey() + " already");
            }
        }
    }

    /** Tells whether one can become the other while it lives. */
    private static boolean isSameDevice(DeviceConfiguration before, DeviceConfiguration after) {
        return new DeviceConfiguration(
                        before.name(),
                        before.ranking(),
                        after.addresses(),
                        after.linkState(),
                        before.attributes(),
                        before.timeouts())
                .equals(after);
    }

    private void change(DeviceConfiguration before, DeviceConfiguration after) {
        DeviceFaults device = network.faults().device(after.name());
        if (!before.addresses().equals(after.addresses())) {
            device.changeAddresses(after.addresses());
        }
        if (before.linkState() != after.linkState()) {
            device.changeLink(after.linkState());
        }
    }
}
