package org.verbena.rdma.core.osgi;

import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Header;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.ManagedService;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.address.RoutingTableLookup;
import org.verbena.rdma.monitor.Monitor;

/**
 * Starts and stops core in a framework. A change of configuration never restarts it.
 *
 * <p>The fields are written by start and read by stop, which the framework calls one after the other.
 */
@Header(name = Constants.BUNDLE_ACTIVATOR, value = "${@class}")
@Capability(
        namespace = "osgi.service",
        attribute = "objectClass:List<String>=\"org.verbena.rdma.cm.ConnectionManager\"",
        uses = ConnectionManager.class,
        effective = "active")
@Capability(
        namespace = "osgi.service",
        attribute = "objectClass:List<String>=\"org.verbena.rdma.RdmaDevice\"",
        uses = RdmaDevice.class,
        effective = "active")
@Capability(
        namespace = "osgi.service",
        attribute = "objectClass:List<String>=\"org.verbena.rdma.monitor.Monitor\"",
        uses = Monitor.class,
        effective = "active")
public final class CoreActivator implements BundleActivator {
    private Core core;
    private ProviderFollower follower;
    private ServiceRegistration<ManagedService> configuration;
    private ServiceRegistration<?> connectionManagers;
    private ServiceRegistration<?> monitors;
    private StoppedBundles stoppedBundles;

    /** Made by the framework. */
    public CoreActivator() {}

    @Override
    public void start(BundleContext context) throws InvalidSyntaxException {
        ServicePublisher publisher = new ServicePublisher(context);
        core = new Core(CoreConfiguration.DEFAULTS, publisher, new RoutingTableLookup());
        SessionOpener opener = new SessionOpener(core);
        publisher.serve(core, opener);
        Dictionary<String, Object> pid = new Hashtable<>();
        pid.put(Constants.SERVICE_PID, CoreSettings.PID);
        configuration = context.registerService(ManagedService.class, new ConfigurationUpdates(core), pid);
        connectionManagers = context.registerService(
                ConnectionManager.class, new ConnectionManagerServices(core, opener), new Hashtable<>());
        monitors = context.registerService(Monitor.class.getName(), new MonitorServices(core), new Hashtable<>());
        stoppedBundles = new StoppedBundles(core);
        context.addBundleListener(stoppedBundles);
        follower = new ProviderFollower(context, core.devices());
        follower.start();
    }

    @Override
    public void stop(BundleContext context) {
        configuration.unregister();
        // Devices first, so that consumers are told while everything still works; then whoever only made ids.
        core.removeDevices();
        // Not before: a provider that stops meanwhile must wait until its devices are closed.
        follower.stop();
        connectionManagers.unregister();
        monitors.unregister();
        core.stop();
        context.removeBundleListener(stoppedBundles);
    }
}
