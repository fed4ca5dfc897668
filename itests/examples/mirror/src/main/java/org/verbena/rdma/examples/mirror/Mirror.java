package org.verbena.rdma.examples.mirror;

import java.util.Hashtable;
import java.util.Map;
import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Header;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.spi.ProviderDevice;
import org.verbena.rdma.spi.RdmaProvider;

/**
 * The bundle: brings one device, mirror0, and takes it away when it stops.
 *
 * <p>An activator and no component: the service is unregistered first, which is the removal of the device and returns when
 * core has closed everything on it, and nothing may skip or overtake that.
 */
@Header(name = Constants.BUNDLE_ACTIVATOR, value = "${@class}")
@RdmaProvider(type = MirrorDevice.PROVIDER)
@Capability(
        namespace = "osgi.service",
        attribute = "objectClass:List<String>=\"org.verbena.rdma.spi.ProviderDevice\"",
        effective = "active")
public final class Mirror implements BundleActivator {
    private ServiceRegistration<ProviderDevice> registration;

    @Override
    public void start(BundleContext context) {
        ProviderDevice device = new MirrorDevice("mirror0");
        registration = context.registerService(
                ProviderDevice.class, device, new Hashtable<>(Map.of(RdmaDevice.NAME, device.name())));
    }

    @Override
    public void stop(BundleContext context) {
        registration.unregister();
        // Here a provider frees what the device was made of; the mirror is made of nothing.
    }
}
