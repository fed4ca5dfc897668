package org.verbena.rdma.provider.iwarp.activation;

import java.util.Dictionary;
import org.osgi.service.cm.ConfigurationException;
import org.osgi.service.cm.ManagedServiceFactory;

/** Takes configurations from Config Admin. */
final class DeviceFactory implements ManagedServiceFactory {
    private final Devices devices;

    DeviceFactory(Devices devices) {
        this.devices = devices;
    }

    @Override
    public String getName() {
        return "Verbena iWARP devices";
    }

    @Override
    public void updated(String pid, Dictionary<String, ?> properties) throws ConfigurationException {
        try {
            devices.configure(pid, DeviceConfiguration.read(properties));
        } finally {
            devices.delivered(pid);
        }
    }

    @Override
    public void deleted(String pid) {
        devices.remove(pid);
        devices.delivered(pid);
    }
}
