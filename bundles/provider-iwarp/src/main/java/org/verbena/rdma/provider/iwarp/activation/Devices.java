package org.verbena.rdma.provider.iwarp.activation;

import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the device services in step with configurations and interfaces.
 *
 * <p>{@link #adjust} runs on one thread at a time: on the thread that starts the bundle, then on the watching thread. A
 * removal has a thread of its own, because it waits for consumers; name and addresses are free again when it is over: two
 * devices at one address cannot listen at the same port. {@code lock} guards the collections and {@code stopped}; no
 * service is registered or unregistered under it.
 */
final class Devices {
    private static final Logger LOG = LoggerFactory.getLogger(Devices.class);

    /** How long configurations that are stored are waited for. */
    static final long PATIENCE_SECONDS = 10;

    private final BundleContext context;
    private final DeviceSource source;
    private final ScheduledExecutorService watch;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, DeviceConfiguration> configurations = new LinkedHashMap<>();
    private final Map<String, RegisteredDevice> present = new HashMap<>();
    private final Map<String, Removal> going = new HashMap<>();
    private final Set<String> awaited = new HashSet<>();
    private boolean stopped;

    private record Removal(RegisteredDevice device, Thread thread) {}

    /** Ends the waiting for stored configurations; written by {@link #start} and read by {@link #stop}, which follows. */
    private Future<?> patience = CompletableFuture.completedFuture(null);

    Devices(BundleContext context, DeviceSource source, ScheduledExecutorService watch) {
        this.context = context;
        this.source = source;
        this.watch = watch;
    }

    /**
     * Begins.
     *
     * @param periodMillis how often to look at the interfaces
     * @param stored the PIDs of configurations that are going to come: until they have, the default is not made. They
     *     are not waited for longer than {@link #PATIENCE_SECONDS}, since who is to bring them may go.
     */
    void start(long periodMillis, Set<String> stored) {
        lock.lock();
        try {
            awaited.addAll(stored);
        } finally {
            lock.unlock();
        }
        adjust();
        if (!stored.isEmpty()) {
            patience = watch.schedule(this::awaitNoLonger, PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        watch.scheduleWithFixedDelay(this::adjust, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }

    private void awaitNoLonger() {
        lock.lock();
        try {
            awaited.clear();
        } finally {
            lock.unlock();
        }
        adjust();
    }

    /** A configuration was delivered, be it a valid one or not. */
    void delivered(String pid) {
        lock.lock();
        try {
            awaited.remove(pid);
        } finally {
            lock.unlock();
        }
        adjustSoon();
    }

    void configure(String pid, DeviceConfiguration configuration) {
        lock.lock();
        try {
            configurations.put(pid, configuration);
        } finally {
            lock.unlock();
        }
        adjustSoon();
    }

    void remove(String pid) {
        lock.lock();
        try {
            configurations.remove(pid);
        } finally {
            lock.unlock();
        }
        adjustSoon();
    }

    /** Unregisters all devices, one after the other, on the calling thread. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
        } finally {
            lock.unlock();
        }
        // What is due later would keep the thread until then.
        patience.cancel(false);
        watch.shutdown();
        awaitWatch();
        List<RegisteredDevice> left = new ArrayList<>();
        List<Thread> removals = new ArrayList<>();
        lock.lock();
        try {
            left.addAll(present.values());
            present.clear();
            going.values().forEach(removal -> removals.add(removal.thread()));
        } finally {
            lock.unlock();
        }
        left.forEach(RegisteredDevice::unregister);
        removals.forEach(Devices::join);
    }

    private void adjustSoon() {
        lock.lock();
        try {
            if (!stopped) {
                watch.execute(this::adjust);
            }
        } finally {
            lock.unlock();
        }
    }

    private void adjust() {
        try {
            Collection<DeviceConfiguration> configured = configured();
            if (configured.isEmpty() && isAwaiting()) {
                return;
            }
            Map<String, WantedDevice> wanted = source.wanted(configured);
            dropAllBut(wanted, configured.isEmpty() ? List.of(DeviceConfiguration.defaults()) : configured);
            addAndUpdate(wanted);
        } catch (SocketException e) {
            LOG.warn("The network interfaces cannot be listed: {}", e.toString());
        } catch (RuntimeException e) {
            LOG.error("The devices cannot be brought in step with the interfaces", e);
        }
    }

    private boolean isAwaiting() {
        lock.lock();
        try {
            return !awaited.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private Collection<DeviceConfiguration> configured() {
        lock.lock();
        try {
            return List.copyOf(configurations.values());
        } finally {
            lock.unlock();
        }
    }

    /** Drops what is not wanted any more. A device whose configuration is still there has lost its interface. */
    private void dropAllBut(Map<String, WantedDevice> wanted, Collection<DeviceConfiguration> configured) {
        Set<Thread> removals = new HashSet<>();
        List<RegisteredDevice> vanished = new ArrayList<>();
        lock.lock();
        try {
            for (RegisteredDevice device : List.copyOf(present.values())) {
                WantedDevice same = wanted.get(device.name());
                if (same == null || !device.isAs(same)) {
                    present.remove(device.name());
                    Thread removal = new Thread(() -> removeNow(device), "verbena-" + device.name() + "-removal");
                    removal.setDaemon(true);
                    going.put(device.name(), new Removal(device, removal));
                    removals.add(removal);
                    if (same == null && configured.contains(device.configuration())) {
                        vanished.add(device);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        vanished.forEach(RegisteredDevice::interfaceIsGone);
        removals.forEach(Thread::start);
    }

    private void removeNow(RegisteredDevice device) {
        device.unregister();
        lock.lock();
        try {
            going.remove(device.name());
        } finally {
            lock.unlock();
        }
        adjustSoon();
    }

    private void addAndUpdate(Map<String, WantedDevice> wanted) {
        for (WantedDevice device : wanted.values()) {
            RegisteredDevice there = presentOrGoing(device.name());
            if (there != null) {
                there.interfaceIs(device);
            } else if (isFree(device)) {
                add(RegisteredDevice.register(context, device));
            }
        }
    }

    private RegisteredDevice presentOrGoing(String name) {
        lock.lock();
        try {
            return present.get(name);
        } finally {
            lock.unlock();
        }
    }

    private boolean isFree(WantedDevice device) {
        lock.lock();
        try {
            return !stopped
                    && !present.containsKey(device.name())
                    && !going.containsKey(device.name())
                    && going.values().stream()
                            .noneMatch(removal -> removal.device().sharesAddressWith(device));
        } finally {
            lock.unlock();
        }
    }

    private void add(RegisteredDevice device) {
        boolean late;
        lock.lock();
        try {
            late = stopped;
            if (!late) {
                present.put(device.name(), device);
            }
        } finally {
            lock.unlock();
        }
        if (late) {
            device.unregister();
        }
    }

    private void awaitWatch() {
        boolean interrupted = false;
        while (true) {
            try {
                if (watch.awaitTermination(1, TimeUnit.MINUTES)) {
                    break;
                }
                LOG.warn("Still waiting for the thread that watches the interfaces");
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
