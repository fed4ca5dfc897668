package org.verbena.rdma.provider.loopback.osgi;

import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Header;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.ManagedServiceFactory;
import org.verbena.rdma.provider.loopback.LoopbackAttributes;
import org.verbena.rdma.provider.loopback.LoopbackNetwork;
import org.verbena.rdma.provider.loopback.fault.LoopbackFaults;
import org.verbena.rdma.spi.RdmaProvider;

/**
 * Brings a network, its faults, and what turns configurations into devices.
 *
 * <p>An activator and no component: when the bundle stops, each device is unregistered first and freed afterwards, and
 * nothing may skip that. Start and stop are called one at a time, so the fields need no lock.
 */
@Header(name = Constants.BUNDLE_ACTIVATOR, value = "${@class}")
@RdmaProvider(type = LoopbackAttributes.PROVIDER)
@Capability(
        namespace = "osgi.service",
        attribute = "objectClass:List<String>=\"org.verbena.rdma.spi.ProviderDevice\"",
        effective = "active")
@Capability(
        namespace = "osgi.service",
        attribute = "objectClass:List<String>=\"org.verbena.rdma.provider.loopback.fault.LoopbackFaults\"",
        effective = "active")
public final class LoopbackActivator implements BundleActivator {
    private LoopbackNetwork network;
    private ServiceRegistration<ManagedServiceFactory> configurations;

    /** Called by the framework. */
    public LoopbackActivator() {
        // nothing to do
    }

    @Override
    public void start(BundleContext context) {
        network = new LoopbackNetwork(new DeviceServices(context));
        context.registerService(LoopbackFaults.class, network.faults(), null);
        configurations = context.registerService(
                ManagedServiceFactory.class, new ConfiguredDevices(network), factoryProperties());
    }

    @Override
    public void stop(BundleContext context) {
        configurations.unregister();
        network.close();
    }

    private static Dictionary<String, Object> factoryProperties() {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(Constants.SERVICE_PID, DeviceProperties.PID);
        return properties;
    }
}
