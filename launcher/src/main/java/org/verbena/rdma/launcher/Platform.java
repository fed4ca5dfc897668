package org.verbena.rdma.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.ToIntFunction;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.util.tracker.ServiceTracker;

/** The framework with its bundles. */
final class Platform implements AutoCloseable {
    /** Generous: with core's deadline for removals in it, and a slow machine. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

    private static final Duration SERVICE_TIMEOUT = Duration.ofSeconds(30);

    private final TemporaryFolder folder;
    private final Framework framework;

    /**
     * Starts an empty framework.
     *
     * @param properties framework properties of the caller
     */
    Platform(Map<String, String> properties) throws LaunchException {
        folder = TemporaryFolder.create();
        Map<String, String> all = new HashMap<>(properties);
        all.put(Constants.FRAMEWORK_STORAGE, folder.path().toString());
        // Config Admin's package is ours, so that we can hand configurations to it.
        all.put(Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, "org.osgi.service.cm;version=1.6.1");
        // JLine's way to signals, without which Control-C would end all and not the command that runs.
        all.put(Constants.FRAMEWORK_BOOTDELEGATION, "sun.misc");
        framework = ServiceLoader.load(FrameworkFactory.class)
                .findFirst()
                .orElseThrow(() -> new LaunchException("there is no OSGi framework on the class path"))
                .newFramework(all);
        try {
            framework.start();
        } catch (BundleException e) {
            folder.close();
            throw new LaunchException("the framework does not start: " + e.getMessage(), e);
        }
    }

    /** Installs all of them, then starts all of them, in their order. */
    void start(List<Path> jars) throws LaunchException {
        List<Bundle> bundles = new ArrayList<>();
        for (Path jar : jars) {
            bundles.add(install(jar));
        }
        for (Bundle bundle : bundles) {
            start(bundle);
        }
    }

    /** Hands the configuration of a device to its provider. */
    void configure(ConfiguredDevice device) throws LaunchException {
        ConfigurationAdmin admin = service(ConfigurationAdmin.class, null, "Config Admin");
        try {
            admin.getFactoryConfiguration(device.factoryPid(), device.name(), "?")
                    .update(device.properties());
        } catch (IOException e) {
            throw new LaunchException("device " + device.name() + " cannot be configured: " + e.getMessage(), e);
        }
    }

    /** Waits until a service is there; returns whether it is. It is not taken: we are no consumer of it. */
    boolean await(String filter, Duration timeout) throws LaunchException {
        return find(filter, timeout) != null;
    }

    /** Runs something in the framework; see the bundle application. */
    int run(String entry, List<String> words) throws LaunchException {
        @SuppressWarnings("unchecked")
        ToIntFunction<List<String>> function =
                service(ToIntFunction.class, "(verbena.entry=" + entry + ")", "the entry '" + entry + "'");
        return function.applyAsInt(words);
    }

    /** Waits until the framework has stopped, from wherever that was asked for. */
    void awaitStop() throws InterruptedException {
        framework.waitForStop(0);
    }

    /** Stops it, in bounded time. */
    @Override
    public void close() {
        try {
            framework.stop();
            if (framework.waitForStop(STOP_TIMEOUT.toMillis()).getType() == FrameworkEvent.WAIT_TIMEDOUT) {
                System.err.println("verbena: the framework has not stopped within " + STOP_TIMEOUT.toSeconds() + " s");
            }
        } catch (BundleException e) {
            System.err.println("verbena: the framework does not stop: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        folder.close();
    }

    private Bundle install(Path jar) throws LaunchException {
        try {
            // By reference: a copy in the temporary folder would only take time.
            return context().installBundle("reference:" + jar.toUri());
        } catch (BundleException e) {
            throw new LaunchException("the bundle " + jar.getFileName() + " cannot be installed: " + e.getMessage(), e);
        }
    }

    private static void start(Bundle bundle) throws LaunchException {
        if (bundle.getHeaders().get(Constants.FRAGMENT_HOST) != null) {
            return;
        }
        try {
            bundle.start();
        } catch (BundleException e) {
            throw new LaunchException(
                    "the bundle " + bundle.getSymbolicName() + " does not start: " + e.getMessage(), e);
        }
    }

    private <T> T service(Class<T> type, String filter, String what) throws LaunchException {
        String objectClass = "(" + Constants.OBJECTCLASS + "=" + type.getName() + ")";
        ServiceReference<?> reference =
                find(filter == null ? objectClass : "(&" + objectClass + filter + ")", SERVICE_TIMEOUT);
        Object service = reference == null ? null : context().getService(reference);
        if (service == null) {
            throw new LaunchException(what + " has not come up");
        }
        return type.cast(service);
    }

    /** Waits for a service; {@code null} if it does not come in time. */
    private ServiceReference<?> find(String filter, Duration timeout) throws LaunchException {
        ServiceTracker<Object, ServiceReference<?>> tracker = tracker(filter);
        try {
            return tracker.waitForService(timeout.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LaunchException("interrupted while waiting for " + filter, e);
        } finally {
            tracker.close();
        }
    }

    private ServiceTracker<Object, ServiceReference<?>> tracker(String filter) throws LaunchException {
        try {
            ServiceTracker<Object, ServiceReference<?>> tracker =
                    new ServiceTracker<>(context(), context().createFilter(filter), null) {
                        @Override
                        public ServiceReference<?> addingService(ServiceReference<Object> reference) {
                            return reference;
                        }

                        @Override
                        public void removedService(ServiceReference<Object> reference, ServiceReference<?> tracked) {
                            // Nothing was taken.
                        }
                    };
            tracker.open(true);
            return tracker;
        } catch (InvalidSyntaxException | IllegalStateException e) {
            throw new LaunchException("nothing can be looked up by " + filter + ": " + e.getMessage(), e);
        }
    }

    private BundleContext context() throws LaunchException {
        BundleContext context = framework.getBundleContext();
        if (context == null) {
            throw new LaunchException("the framework is being stopped");
        }
        return context;
    }
}
