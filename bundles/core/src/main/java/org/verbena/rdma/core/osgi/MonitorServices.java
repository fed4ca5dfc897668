package org.verbena.rdma.core.osgi;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.MonitorListener;
import org.verbena.rdma.monitor.Snapshot;

/** Gives each bundle a monitor of its own, so that its listeners go with it. Has no state. */
final class MonitorServices implements ServiceFactory<Object> {
    private final Core core;

    MonitorServices(Core core) {
        this.core = core;
    }

    @Override
    public Object getService(Bundle bundle, ServiceRegistration<Object> registration) {
        return new BundleMonitor(core.monitor());
    }

    @Override
    public void ungetService(Bundle bundle, ServiceRegistration<Object> registration, Object service) {
        ((BundleMonitor) service).close();
    }

    /** The monitor of one bundle. The set of its registrations is concurrent. */
    private static final class BundleMonitor implements Monitor {
        private final Monitor monitor;
        private final Set<Registration> registrations = ConcurrentHashMap.newKeySet();

        BundleMonitor(Monitor monitor) {
            this.monitor = monitor;
        }

        @Override
        public Snapshot snapshot() {
            return monitor.snapshot();
        }

        @Override
        public CompletionStage<Void> unplug(String device) throws RdmaException {
            return monitor.unplug(device);
        }

        @Override
        public CompletionStage<Void> plug(String device) throws RdmaException {
            return monitor.plug(device);
        }

        @Override
        public Registration addListener(MonitorListener listener) {
            Registration registration = monitor.addListener(listener);
            registrations.add(registration);
            return () -> {
                registrations.remove(registration);
                registration.close();
            };
        }

        void close() {
            registrations.forEach(Registration::close);
        }
    }
}
