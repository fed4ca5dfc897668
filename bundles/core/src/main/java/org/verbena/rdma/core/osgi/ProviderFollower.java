package org.verbena.rdma.core.osgi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.SynchronousBundleListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.core.device.DeviceRank;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.device.Devices;
import org.verbena.rdma.spi.ProviderDevice;

/**
 * Follows the devices that providers register. A service tracker would return from a removal while its adding callback
 * still runs on another thread; so this has a state of its own for each reference, which tolerates events that are late,
 * concurrent or nested.
 *
 * <p>The map of references is concurrent; the state of one reference is guarded by its own monitor, which is not held
 * while anything is called. A reference that was unregistered before it was seen stays in the map as gone, until the
 * framework has forgotten it.
 */
final class ProviderFollower implements ServiceListener, SynchronousBundleListener {
    private static final Logger LOGGER = LoggerFactory.getLogger(ProviderFollower.class);

    private final BundleContext context;
    private final Devices devices;
    private final Map<ServiceReference<?>, Followed> references = new ConcurrentHashMap<>();

    ProviderFollower(BundleContext context, Devices devices) {
        this.context = context;
        this.devices = devices;
    }

    /** One reference: offered to core by the thread that has seen it first, gone as soon as any has seen it go. */
    private static final class Followed {
        private DeviceSlot slot;
        private boolean beingOffered;
        private boolean settled;
        private boolean gone;

        /** Keeps the slot and tells whether the device has gone meanwhile. */
        synchronized boolean settle(DeviceSlot offered) {
            slot = offered;
            settled = true;
            notifyAll();
            return gone;
        }

        synchronized void markGone() {
            gone = true;
        }

        synchronized boolean beginOffer() {
            if (gone || beingOffered) {
                return false;
            }
            beingOffered = true;
            return true;
        }

        /** Waits for the thread that offers the device, which takes no longer than the provider's getService. */
        synchronized DeviceSlot awaitSlot(long millis) {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            boolean interrupted = false;
            while (beingOffered && !settled) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    break;
                }
                try {
                    wait(left);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return slot;
        }
    }

    void start() throws InvalidSyntaxException {
        String filter = "(" + Constants.OBJECTCLASS + "=" + ProviderDevice.class.getName() + ")";
        context.addBundleListener(this);
        context.addServiceListener(this, filter);
        for (ServiceReference<ProviderDevice> reference : context.getServiceReferences(ProviderDevice.class, null)) {
            offer(reference);
        }
    }

    void stop() {
        context.removeServiceListener(this);
        context.removeBundleListener(this);
    }

    @Override
    public void serviceChanged(ServiceEvent event) {
        ServiceReference<?> reference = event.getServiceReference();
        switch (event.getType()) {
            case ServiceEvent.REGISTERED -> offer(reference);
            case ServiceEvent.UNREGISTERING -> withdraw(reference);
            case ServiceEvent.MODIFIED -> rank(reference);
            default -> {
                // No other event is sent to a listener with a filter that all devices match.
            }
        }
    }

    private void offer(ServiceReference<?> reference) {
        forgetGone();
        Followed followed = references.computeIfAbsent(reference, key -> new Followed());
        if (!followed.beginOffer()) {
            return;
        }
        DeviceSlot slot = null;
        boolean goneMeanwhile = false;
        try {
            slot = slotFor(reference);
        } catch (RuntimeException | LinkageError | AssertionError broken) {
            LOGGER.warn("{} offers no device that core can use: its provider fails", reference, broken);
        } finally {
            goneMeanwhile = followed.settle(slot);
        }
        if (goneMeanwhile && slot != null) {
            withdraw(List.of(slot), reference.getBundle());
        }
    }

    private DeviceSlot slotFor(ServiceReference<?> reference) {
        Object service = context.getService(reference);
        if (service instanceof ProviderDevice provider) {
            return devices.offer(provider, rankOf(reference));
        }
        LOGGER.warn("{} offers no device that core can use", reference);
        return null;
    }

    private void withdraw(ServiceReference<?> reference) {
        Followed followed = references.computeIfAbsent(reference, key -> new Followed());
        followed.markGone();
        DeviceSlot slot = followed.awaitSlot(1_000);
        if (slot != null) {
            withdraw(List.of(slot), reference.getBundle());
            references.remove(reference, followed);
            unget(reference);
        }
    }

    private void withdraw(Collection<DeviceSlot> slots, Bundle provider) {
        devices.withdraw(
                slots, provider == null ? "its provider has gone" : "taken away by " + provider.getSymbolicName());
    }

    private void unget(ServiceReference<?> reference) {
        try {
            context.ungetService(reference);
        } catch (IllegalStateException coreStopsMeanwhile) {
            LOGGER.debug("{} was given back by the framework", reference);
        }
    }

    private void rank(ServiceReference<?> reference) {
        Followed followed = references.get(reference);
        DeviceSlot slot = followed == null ? null : followed.awaitSlot(0);
        if (slot != null) {
            devices.rank(slot, rankOf(reference));
        }
    }

    private static DeviceRank rankOf(ServiceReference<?> reference) {
        Object ranking = reference.getProperty(Constants.SERVICE_RANKING);
        return new DeviceRank(
                ranking instanceof Integer number ? number : 0, (Long) reference.getProperty(Constants.SERVICE_ID));
    }

    /** A provider bundle that stops takes all its devices away at once, under one deadline. */
    @Override
    public void bundleChanged(BundleEvent event) {
        if (event.getType() != BundleEvent.STOPPING) {
            return;
        }
        Bundle bundle = event.getBundle();
        List<DeviceSlot> slots = new ArrayList<>();
        references.forEach((reference, followed) -> {
            DeviceSlot slot = followed.awaitSlot(0);
            if (slot != null && bundle.equals(reference.getBundle())) {
                slots.add(slot);
            }
        });
        if (!slots.isEmpty()) {
            withdraw(slots, bundle);
        }
    }

    private void forgetGone() {
        references.entrySet().removeIf(entry -> entry.getKey().getBundle() == null);
    }
}
