package org.verbena.rdma.core.device;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.dispatch.DispatchedFuture;
import org.verbena.rdma.core.dispatch.Dispatcher;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.recording.Recorder;
import org.verbena.rdma.core.session.Session;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.spi.ProviderDevice;

/**
 * All devices: adds them, removes them, and keeps the address book.
 *
 * <p>The list of present devices is guarded by this object's monitor; the book that follows from it is published through
 * a volatile field. Listeners are called without the monitor.
 */
public final class Devices {
    private static final Logger LOGGER = LoggerFactory.getLogger(Devices.class);
    private static final long LOOK_MILLIS = 250;

    private final Supplier<CoreConfiguration> configuration;
    private final Device.Services services;
    private final Dispatcher dispatcher;
    private final Executor threads;
    private final DevicePublisher publisher;
    private final DeviceObserver observer;
    private final Recorder recorder;
    private final AtomicLong numbers = new AtomicLong();
    private final Set<DeviceSlot> slots = ConcurrentHashMap.newKeySet();
    private final List<Runnable> followers = new CopyOnWriteArrayList<>();
    private final List<Device> present = new ArrayList<>();
    private final HungCalls hungCalls = new HungCalls();
    private volatile boolean stopping;
    private volatile AddressBook book = new AddressBook(List.of());

    /**
     * Makes an empty set of devices.
     *
     * @param configuration what is set
     * @param guard admits calls into providers
     * @param dispatcher core's threads
     * @param publisher shows devices to consumers
     * @param observer is told of devices and removals
     * @param recorder records them
     */
    public Devices(
            Supplier<CoreConfiguration> configuration,
            Guard guard,
            Dispatcher dispatcher,
            DevicePublisher publisher,
            DeviceObserver observer,
            Recorder recorder) {
        this.recorder = recorder;
        this.configuration = configuration;
        this.dispatcher = dispatcher;
        this.threads = dispatcher.core();
        this.publisher = publisher;
        this.observer = observer;
        this.services = new Device.Services(
                guard,
                (owner, listener) -> ((Session) owner).execute(listener),
                this::deviceChanged,
                threads,
                dispatcher.timer());
        dispatcher
                .timer()
                .scheduleWithFixedDelay(this::lookForHungCalls, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void lookForHungCalls() {
        try {
            Map<Device, String> in = new HashMap<>();
            for (DeviceSlot slot : slots) {
                Device device = slot.device();
                if (device != null && slot.removal() == null) {
                    in.put(device, slot.description().provider());
                }
            }
            hungCalls.look(in, configuration.get().hungLimit().toNanos(), System.nanoTime());
        } catch (RuntimeException | Error nextTime) {
            LOGGER.debug("cannot look for calls that hang", nextTime);
        }
    }

    /**
     * Says which thread does not come back from the provider of a device.
     *
     * @param device the device
     * @return a sentence, or empty
     */
    public String hungCall(Device device) {
        return hungCalls.of(device, System.nanoTime()).orElse("");
    }

    /**
     * Adds who follows the address book: called on core threads after each change, and after listening could change.
     *
     * @param follower what to call
     */
    public void follow(Runnable follower) {
        followers.add(follower);
    }

    /**
     * Returns who serves which address now.
     *
     * @return an immutable book
     */
    public AddressBook book() {
        return book;
    }

    /**
     * Returns the places of all devices that providers offer.
     *
     * @return a live, concurrent set
     */
    public Set<DeviceSlot> slots() {
        return slots;
    }

    // Coming and going

    /**
     * A provider offers a device; it is plugged in on a core thread.
     *
     * @param provider the provider's device
     * @param rank which of two devices with an address serves it
     * @return its place
     */
    public DeviceSlot offer(ProviderDevice provider, DeviceRank rank) {
        DeviceSlot slot = new DeviceSlot(numbers.incrementAndGet(), provider, rank, this);
        slots.add(slot);
        dispatcher.runOnCore(slot::plug);
        return slot;
    }

    /**
     * A provider takes devices away: removes them in parallel under one deadline and returns when they are closed. Their
     * services go one after another on this thread.
     *
     * @param going their places
     * @param cause what has started it
     */
    public void withdraw(Collection<DeviceSlot> going, String cause) {
        remove(going, cause, true);
        slots.removeAll(going);
    }

    /**
     * Removes devices that their providers still offer, such as when core stops.
     *
     * @param going their places
     * @param cause what has started it
     */
    public void remove(Collection<DeviceSlot> going, String cause) {
        remove(going, cause, false);
    }

    private void remove(Collection<DeviceSlot> going, String cause, boolean withdraw) {
        RemovalOrder order = RemovalOrder.now(cause, withdraw, configuration.get());
        List<RemovalTicket> tickets = new ArrayList<>();
        for (DeviceSlot slot : going) {
            RemovalTicket ticket = slot.beginRemoval(order);
            if (ticket != null) {
                tickets.add(ticket);
            }
        }
        tickets.forEach(RemovalTicket::unpublish);
        tickets.forEach(RemovalTicket::await);
    }

    /**
     * Takes a device out on a core thread while its provider still offers it.
     *
     * @param name the name of the device
     * @param ended completed when the removal is over
     * @throws RdmaException with NOT_FOUND if there is no such device in
     * @throws IllegalStateException if core has stopped
     */
    public void unplug(String name, DispatchedFuture<Void> ended) throws RdmaException {
        DeviceSlot slot = find(name, DeviceSnapshot.Condition.PRESENT);
        start(() -> {
            try {
                remove(List.of(slot), "unplugged", false);
                ended.complete(null);
            } catch (RuntimeException | Error broken) {
                ended.completeExceptionally(broken);
            }
        });
    }

    /**
     * Puts a device back on a core thread.
     *
     * @param name the name of the device
     * @param ended completed when it serves, or cannot
     * @throws RdmaException with NOT_FOUND if no such device is out
     * @throws IllegalStateException if core has stopped
     */
    public void plug(String name, DispatchedFuture<Void> ended) throws RdmaException {
        DeviceSlot slot = find(name, DeviceSnapshot.Condition.UNPLUGGED, DeviceSnapshot.Condition.FAILED);
        start(() -> {
            try {
                if (slot.plug()) {
                    ended.complete(null);
                } else {
                    ended.completeExceptionally(new RdmaException(
                            RdmaError.NO_DEVICE, "device " + name + " cannot be plugged in: " + slot.detail()));
                }
            } catch (RuntimeException | Error broken) {
                ended.completeExceptionally(broken);
            }
        });
    }

    private void start(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException stopped) {
            throw new IllegalStateException("core has stopped: get the monitor anew when it is back", stopped);
        }
    }

    private DeviceSlot find(String name, DeviceSnapshot.Condition... wanted) throws RdmaException {
        StringBuilder known = new StringBuilder();
        for (DeviceSlot slot : slots) {
            DeviceSnapshot.Condition condition = slot.condition();
            if (slot.name().equals(name) && List.of(wanted).contains(condition)) {
                return slot;
            }
            known.append(known.isEmpty() ? "" : ", ")
                    .append(slot.name())
                    .append(" (")
                    .append(condition.name().toLowerCase(java.util.Locale.ROOT))
                    .append(')');
        }
        throw new RdmaException(
                RdmaError.NOT_FOUND,
                "there is no device " + name + " that is "
                        + wanted[0].name().toLowerCase(java.util.Locale.ROOT)
                        + (known.isEmpty() ? "; there are no devices" : "; devices: " + known));
    }

    /**
     * The ranking of a provider's service has changed.
     *
     * @param slot the place of the device
     * @param rank the rank from now on
     */
    public void rank(DeviceSlot slot, DeviceRank rank) {
        slot.rank(rank);
        Device device = slot.device();
        if (device != null) {
            threads.execute(() -> {
                rebuild();
                tellFollowers();
            });
        }
    }

    /** Plugs in nothing any more: core is stopping. */
    public void stopPlugging() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    long hungLimitNanos() {
        return configuration.get().hungLimit().toNanos();
    }

    // What slots and devices need

    Device make(ProviderDevice provider, String name, DeviceRank rank) {
        return new Device(provider, name, rank, services);
    }

    Removal removal(long number, Device device, RemovalOrder order) {
        return new Removal(
                number, device, order, new Removal.Surroundings(publisher, observer, threads, this::leave, recorder));
    }

    /** Enters a device into the book, unless its name is taken. */
    boolean enter(Device device) {
        synchronized (this) {
            if (device.isMarked()
                    || present.stream().anyMatch(other -> other.name().equals(device.name()))) {
                return false;
            }
            present.add(device);
            book = new AddressBook(present);
        }
        return true;
    }

    synchronized boolean isFree(String name) {
        return present.stream().noneMatch(other -> other.name().equals(name));
    }

    /** Takes a device out of the book: lookups skip it from now on, and who followed it goes elsewhere. */
    private void leave(Device device) {
        synchronized (this) {
            present.remove(device);
            book = new AddressBook(present);
        }
        dispatcher.runOnCore(() -> {
            tellFollowers();
            slots.forEach(slot -> slot.retry(device.name()));
        });
    }

    /** Lets listeners have a device that has come: who is shown it finds them there, unless a provider takes its time. */
    void follow() {
        // On another thread, since a provider might hang in it.
        CountDownLatch followed = new CountDownLatch(1);
        dispatcher.runOnCore(() -> {
            try {
                tellFollowers();
            } finally {
                followed.countDown();
            }
        });
        try {
            if (!followed.await(configuration.get().listenRetry().toNanos(), TimeUnit.NANOSECONDS)) {
                LOGGER.debug("listening takes its time on a device that has come");
            }
        } catch (InterruptedException nobodys) {
            Thread.currentThread().interrupt();
        }
    }

    void show(Device device) {
        publisher.publish(device);
        publisher.update(device);
        LOGGER.info(
                "device {} of provider {} is up: {}",
                device.name(),
                device.description().provider(),
                device.addresses());
        recorder.deviceUp(
                device.name(),
                device.description().provider(),
                device.addresses().toString());
        observer.deviceUp(device);
    }

    void hide(Device device) {
        publisher.unpublish(device);
    }

    private void deviceChanged(Device device) {
        threads.execute(() -> {
            device.refresh();
            rebuild();
            if (book.devices().contains(device)) {
                observer.deviceUp(device);
            }
            tellFollowers();
        });
    }

    private synchronized void rebuild() {
        book = new AddressBook(present);
    }

    private void tellFollowers() {
        for (Device device : book.devices()) {
            publisher.update(device);
        }
        followers.forEach(Runnable::run);
    }
}
