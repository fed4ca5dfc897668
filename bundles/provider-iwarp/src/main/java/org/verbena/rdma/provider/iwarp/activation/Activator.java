package org.verbena.rdma.provider.iwarp.activation;

import java.util.Dictionary;
import java.util.Hashtable;
import java.util.concurrent.Executors;
import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Header;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.service.cm.ManagedServiceFactory;

/**
 * Starts and stops the provider. Devices are unregistered in {@link #stop} and not by the framework after it, so that
 * each is there until core has let go of it.
 */
@Header(name = Constants.BUNDLE_ACTIVATOR, value = "${@class}")
@Capability(
        namespace = "osgi.service",
        attribute = "objectClass:List<String>=\"org.verbena.rdma.spi.ProviderDevice\"",
        uses = org.verbena.rdma.spi.ProviderDevice.class)
public final class Activator implements BundleActivator {
    private static final long WATCH_MILLIS = 2_000;

    private Devices devices;

    @Override
    public void start(BundleContext context) {
        devices = new Devices(context, new Interfaces(), Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "verbena-iwarp-interfaces");
            thread.setDaemon(true);
            return thread;
        }));
        devices.start(WATCH_MILLIS, StoredConfigurations.pids(context));
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(Constants.SERVICE_PID, Configuration.PID);
        context.registerService(ManagedServiceFactory.class, new DeviceFactory(devices), properties);
    }

    @Override
    public void stop(BundleContext context) {
        devices.stop();
    }
}
