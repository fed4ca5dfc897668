package org.verbena.rdma.provider.disni.activation;

import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.provider.disni.discovery.DeviceRegistry;
import org.verbena.rdma.spi.ProviderDevice;

/** The service registry. The map is safe by itself and not touched while the registry is called. */
final class DeviceServices implements DeviceRegistry {
    private final BundleContext context;
    private final Map<ProviderDevice, ServiceRegistration<ProviderDevice>> registrations = new ConcurrentHashMap<>();

    DeviceServices(BundleContext context) {
        this.context = context;
    }

    @Override
    public void register(ProviderDevice device) {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(RdmaDevice.NAME, device.name());
        registrations.put(device, context.registerService(ProviderDevice.class, device, properties));
    }

    @Override
    public void unregister(ProviderDevice device) {
        ServiceRegistration<ProviderDevice> registration = registrations.remove(device);
        if (registration != null) {
            registration.unregister();
        }
    }
}
