package org.verbena.rdma.core.osgi;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.monitor.CoreMonitor;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.MonitorListener;
import org.verbena.rdma.monitor.Snapshot;

/** Gives each bundle a monitor of its own, so that its listeners go with it. Has no state. */
final class MonitorServices implements ServiceFactory<Object> {
    private static final Logger LOGGER = LoggerFactory.getLogger(MonitorServices.class);

    private final Core core;

    MonitorServices(Core core) {
        this.core = core;
    }

    @Override
    public Object getService(Bundle bundle, ServiceRegistration<Object> registration) {
        return new BundleMonitor(core);
    }

    @Override
    public void ungetService(Bundle bundle, ServiceRegistration<Object> registration, Object service) {
        ((BundleMonitor) service).close(bundle);
    }

    /**
     * The monitor of one bundle. The set of its registrations is concurrent; {@code closed} is set before they are ended, and
     * looked at after one is added, so that one of the two ends a listener that is added meanwhile.
     */
    private static final class BundleMonitor implements Monitor {
        private final Core core;
        private final CoreMonitor monitor;
        private final Set<CoreMonitor.ListenerRegistration> registrations = ConcurrentHashMap.newKeySet();
        private volatile boolean closed;

        BundleMonitor(Core core) {
            this.core = core;
            monitor = core.monitor();
        }

        @Override
        public Snapshot snapshot() {
            return monitor.snapshot();
        }

        @Override
        public CompletionStage<Void> unplug(String device) throws RdmaException {
            return monitor.unplug(device, () -> !closed);
        }

        @Override
        public CompletionStage<Void> plug(String device) throws RdmaException {
            return monitor.plug(device, () -> !closed);
        }

        @Override
        public Registration addListener(MonitorListener listener) {
            CoreMonitor.ListenerRegistration registration = monitor.addListener(listener);
            registrations.add(registration);
            if (closed) {
                registration.close();
                throw new IllegalStateException("this monitor was given back: get the service again");
            }
            return () -> {
                registrations.remove(registration);
                registration.close();
            };
        }

        /** A listener that blocks must not keep its bundle from stopping. */
        void close(Bundle bundle) {
            closed = true;
            long end = System.nanoTime() + core.removalDeadline().toNanos();
            for (CoreMonitor.ListenerRegistration registration : registrations) {
                if (!registration.end(Duration.ofNanos(end - System.nanoTime()))) {
                    LOGGER.warn("{} has given back its monitor while its listener still runs", bundle);
                }
            }
        }
    }
}
