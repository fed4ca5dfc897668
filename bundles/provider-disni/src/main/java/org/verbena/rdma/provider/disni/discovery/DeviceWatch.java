package org.verbena.rdma.provider.disni.discovery;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.disni.device.DisniDevice;
import org.verbena.rdma.provider.disni.natives.Natives;
import org.verbena.rdma.provider.disni.upcalls.DaemonThread;

/**
 * Follows the devices of the kernel: announces those that come, takes back those that go, each removal on a thread of its
 * own. A device that comes back under its name is announced when the removal of the former is over.
 *
 * <p>The fields are only used by the watching thread, and after it has ended by who has stopped it; {@code nudges} and
 * what a {@link Followed} has are safe by themselves.
 */
public final class DeviceWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceWatch.class);
    private static final Path DEVICES = Path.of("/sys/class/infiniband_verbs");
    private static final Duration EVERY = Duration.ofMillis(200);
    private static final int ADDRESSES_EVERY = 5;
    private static final int RETRY_EVERY = 10;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

    /** A device that was announced. */
    private static final class Followed {
        private final PresentDevice present;
        private final AtomicBoolean going = new AtomicBoolean();
        private DisniDevice device;
        private Thread removal;

        Followed(PresentDevice present) {
            this.present = present;
        }

        boolean isRemoved() {
            return removal != null && !removal.isAlive();
        }
    }

    private final DeviceList list;
    private final Natives natives;
    private final DeviceRegistry registry;
    private final Map<String, Followed> followed = new HashMap<>();
    private final Map<PresentDevice, Integer> failed = new HashMap<>();
    private final Semaphore nudges = new Semaphore(0);
    private final Thread thread = DaemonThread.make(this::run, "verbena-disni-watch");
    private volatile boolean stopped;
    private int round;

    DeviceWatch(DeviceList list, Natives natives, DeviceRegistry registry) {
        this.list = list;
        this.natives = natives;
        this.registry = registry;
    }

    /**
     * Returns whether this machine has a device, be it one that cannot be used.
     *
     * @return whether there is a device
     */
    public static boolean isNeeded() {
        return !new KernelDeviceList(DEVICES, () -> null).present().isEmpty();
    }

    /**
     * Begins to follow the devices of this machine.
     *
     * @param natives the natives
     * @param registry where to announce them
     * @return a watch that runs
     */
    public static DeviceWatch start(Natives natives, DeviceRegistry registry) {
        DeviceWatch watch =
                new DeviceWatch(new KernelDeviceList(DEVICES, natives.verbs()::deviceNames), natives, registry);
        watch.look();
        if (watch.followed.isEmpty()) {
            LOG.info("there is no RDMA device of the kernel in this machine; one that comes will be used");
        }
        watch.begin();
        return watch;
    }

    void begin() {
        thread.start();
    }

    /** Ends the watch; the devices go one after another on this thread. */
    public void stop() {
        stopped = true;
        nudges.release();
        boolean interrupted = !join(thread);
        List<Followed> all = new ArrayList<>(followed.values());
        for (Followed each : all) {
            if (each.removal == null) {
                registry.unregister(each.device);
            }
        }
        for (Followed each : all) {
            if (each.removal != null) {
                interrupted |= !join(each.removal);
            }
        }
        followed.clear();
        natives.connections().releaseDevices();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a thread, unless it is this one; {@code false} if interrupted meanwhile. */
    private static boolean join(Thread ending) {
        if (ending == Thread.currentThread()) {
            return true;
        }
        try {
            ending.join(STOP_LIMIT.toMillis());
            return true;
        } catch (InterruptedException interrupted) {
            return false;
        }
    }

    private void run() {
        while (!stopped) {
            try {
                if (nudges.tryAcquire(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                    nudges.drainPermits();
                }
                if (!stopped) {
                    look();
                }
            } catch (InterruptedException nobodys) {
                LOG.debug("interrupted", nobodys);
            } catch (RuntimeException | LinkageError | AssertionError failure) {
                LOG.error("cannot follow the devices of the kernel", failure);
            }
        }
    }

    /** Compares what there is with what was announced. */
    void look() {
        Set<PresentDevice> present = new HashSet<>(list.present());
        round++;
        for (Iterator<Followed> all = followed.values().iterator(); all.hasNext(); ) {
            Followed each = all.next();
            if (each.removal == null && (!present.contains(each.present) || each.going.get())) {
                remove(each);
            } else if (each.isRemoved() && !(each.going.get() && present.contains(each.present))) {
                // One that has failed is not announced again while it is there.
                all.remove();
            } else if (each.removal == null && round % ADDRESSES_EVERY == 0) {
                each.device.lookForChangedAddresses();
            }
        }
        failed.keySet().retainAll(present);
        for (PresentDevice each : present) {
            if (!followed.containsKey(each.name()) && isDue(each)) {
                add(each);
            }
        }
    }

    private boolean isDue(PresentDevice device) {
        Integer last = failed.get(device);
        return last == null || round - last >= RETRY_EVERY;
    }

    private void add(PresentDevice present) {
        Followed added = new Followed(present);
        try {
            added.device = DisniDevice.find(present.name(), natives, () -> {
                if (added.going.compareAndSet(false, true)) {
                    nudges.release();
                }
            });
        } catch (RdmaException cannotBeAsked) {
            if (failed.put(present, round) == null) {
                LOG.warn(
                        "device {} cannot be used, and is tried again: {}", present.name(), cannotBeAsked.getMessage());
            }
            return;
        }
        failed.remove(present);
        LOG.debug(
                "device {} found: {}",
                present.name(),
                added.device.attributes().transport().propertyValue());
        followed.put(present.name(), added);
        registry.register(added.device);
    }

    private void remove(Followed removed) {
        LOG.debug("device {} is going", removed.present.name());
        removed.device.vanish();
        removed.removal = DaemonThread.make(
                () -> registry.unregister(removed.device), "verbena-disni-removal-" + removed.present.name());
        removed.removal.start();
    }
}
