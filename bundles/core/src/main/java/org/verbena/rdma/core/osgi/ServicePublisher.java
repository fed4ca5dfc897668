package org.verbena.rdma.core.osgi;

import java.net.InetAddress;
import java.util.Collection;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.wiring.BundleWiring;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.DevicePublisher;
import org.verbena.rdma.core.dispatch.Refresh;

/**
 * Shows each device as an {@link RdmaDevice} service with its properties.
 *
 * <p>What is published of one device is guarded by the monitor of its {@link Publication}, which is never held while the
 * service registry is called.
 */
final class ServicePublisher implements DevicePublisher {
    private final BundleContext context;
    private final Map<Device, Publication> publications = new ConcurrentHashMap<>();
    private volatile Core core;
    private volatile SessionOpener opener;

    ServicePublisher(BundleContext context) {
        this.context = context;
    }

    /** Sets what is needed to serve, once, before the first device comes. */
    void serve(Core newCore, SessionOpener newOpener) {
        core = newCore;
        opener = newOpener;
    }

    /** The service of one device: registered after a while, withdrawn perhaps before that. */
    private final class Publication {
        private final Device device;
        private final Refresh update = new Refresh(this::update);
        private ServiceRegistration<RdmaDevice> registration;
        private ServiceReference<RdmaDevice> reference;
        private Map<String, Object> properties;
        private boolean withdrawn;

        Publication(Device device) {
            this.device = device;
        }

        /** Keeps the registration, or gives it back if the device was withdrawn while it was being made. */
        synchronized ServiceRegistration<RdmaDevice> registered(
                ServiceRegistration<RdmaDevice> made,
                ServiceReference<RdmaDevice> madeReference,
                Map<String, Object> with) {
            if (withdrawn) {
                return made;
            }
            registration = made;
            reference = madeReference;
            properties = with;
            return null;
        }

        synchronized ServiceRegistration<RdmaDevice> withdraw() {
            withdrawn = true;
            ServiceRegistration<RdmaDevice> made = registration;
            registration = null;
            return made;
        }

        /** Returns who uses the service, also while it is being unregistered; null if nobody does. */
        Bundle[] users() {
            ServiceReference<RdmaDevice> published;
            synchronized (this) {
                published = reference;
            }
            return published == null ? null : published.getUsingBundles();
        }

        synchronized ServiceRegistration<RdmaDevice> changed(Map<String, Object> now) {
            if (registration == null || sameContent(now, properties)) {
                return null;
            }
            properties = now;
            return registration;
        }

        /** One at a time, so that no older properties are set after newer ones. */
        private void update() {
            Map<String, Object> now = properties(device);
            ServiceRegistration<RdmaDevice> changed = changed(now);
            if (changed != null) {
                try {
                    changed.setProperties(dictionary(now));
                } catch (IllegalStateException withdrawnMeanwhile) {
                    return;
                }
            }
        }

        private static boolean sameContent(Map<String, Object> one, Map<String, Object> other) {
            return one.keySet().equals(other.keySet())
                    && one.entrySet().stream()
                            .allMatch(
                                    entry -> java.util.Objects.deepEquals(entry.getValue(), other.get(entry.getKey())));
        }
    }

    @Override
    public void publish(Device device) {
        Publication publication = new Publication(device);
        publications.put(device, publication);
        Map<String, Object> properties = properties(device);
        if (device.isMarked()) {
            return;
        }
        ServiceRegistration<RdmaDevice> made = context.registerService(
                RdmaDevice.class, new DeviceServices(core, opener, device), dictionary(properties));
        ServiceRegistration<RdmaDevice> tooLate = publication.registered(made, made.getReference(), properties);
        if (tooLate != null) {
            unregister(tooLate);
        }
    }

    @Override
    public void update(Device device) {
        Publication publication = publications.get(device);
        if (publication != null) {
            publication.update.ask();
        }
    }

    @Override
    public void unpublish(Device device) {
        Publication publication = publications.get(device);
        if (publication == null) {
            return;
        }
        ServiceRegistration<RdmaDevice> registration = publication.withdraw();
        if (registration != null) {
            unregister(registration);
        }
        if (device.isMarked()) {
            publications.remove(device, publication);
        }
    }

    @Override
    public List<String> holders(Device device, Thread unpublishing) {
        Publication publication = publications.get(device);
        Bundle[] users = publication == null ? null : publication.users();
        if (users == null) {
            return List.of();
        }
        for (StackTraceElement frame : unpublishing.getStackTrace()) {
            for (Bundle user : users) {
                if (hasClass(user, frame.getClassName())) {
                    return List.of(user.getSymbolicName());
                }
            }
        }
        return Stream.of(users).map(Bundle::getSymbolicName).sorted().toList();
    }

    /** Looks at what the bundle is made of, and loads nothing: that could wait for a lock of the bundle's. */
    private static boolean hasClass(Bundle bundle, String name) {
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        if (wiring == null) {
            return false;
        }
        String path = name.replace('.', '/');
        int file = path.lastIndexOf('/') + 1;
        Collection<String> found = wiring.listResources(
                "/" + path.substring(0, file), path.substring(file) + ".class", BundleWiring.LISTRESOURCES_LOCAL);
        return found != null && !found.isEmpty();
    }

    private static void unregister(ServiceRegistration<RdmaDevice> registration) {
        try {
            registration.unregister();
        } catch (IllegalStateException coreStopsMeanwhile) {
            // The framework has unregistered it with the services of a bundle that stops.
            return;
        }
    }

    private Map<String, Object> properties(Device device) {
        Map<String, Object> properties = new java.util.TreeMap<>();
        properties.put(RdmaDevice.NAME, device.name());
        properties.put(RdmaDevice.PROVIDER, device.description().provider());
        properties.put(RdmaDevice.TRANSPORT, device.description().transport());
        String guid = device.description().guid();
        if (!guid.isEmpty()) {
            properties.put(RdmaDevice.GUID, guid);
        }
        properties.put(RdmaDevice.ADDRESSES, texts(device.addresses()));
        properties.put(RdmaDevice.LINK, device.link().name().toLowerCase(Locale.ROOT));
        List<InetAddress> shadowed = core.devices().book().shadowed(device);
        if (!shadowed.isEmpty()) {
            properties.put(RdmaDevice.SHADOWED, texts(shadowed));
        }
        return properties;
    }

    private static String[] texts(Collection<InetAddress> addresses) {
        return addresses.stream().map(InetAddress::getHostAddress).toArray(String[]::new);
    }

    private static Dictionary<String, Object> dictionary(Map<String, Object> properties) {
        return new Hashtable<>(properties);
    }
}
