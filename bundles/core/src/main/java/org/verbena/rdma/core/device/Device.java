package org.verbena.rdma.core.device;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.address.AddressKey;
import org.verbena.rdma.core.dispatch.Refresh;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.guard.Presence;
import org.verbena.rdma.core.verbs.ToldCounters;
import org.verbena.rdma.core.verbs.VerbsDevice;
import org.verbena.rdma.core.verbs.VerbsOwner;
import org.verbena.rdma.spi.DeviceUpcalls;
import org.verbena.rdma.spi.ProviderDevice;

/**
 * A provider's device during one period of use: from open to removal. A device that comes back is a new object, so that
 * nothing has to be reset.
 *
 * <p>The sets of ids and listening points, and the mark that ends them, are guarded by this object's monitor: looking a
 * device up and attaching to it is one step against the mark. The monitor is never held while a provider or consumer is
 * called. Calls into the provider pass {@code gate}, upcalls {@code upcallGate}.
 */
public final class Device implements DeviceUpcalls {
    private static final Logger LOGGER = LoggerFactory.getLogger(Device.class);
    private static final long MEMORY_NANOS = 1_000_000;

    private final ProviderDevice provider;
    private final String name;
    private volatile DeviceAttributes attributes;
    private volatile DeviceDescription description = DeviceDescription.UNKNOWN;
    private volatile DeviceRank rank;
    private final Guard guard;
    private final Gate gate;
    private final Gate upcallGate;
    private final VerbsDevice verbs;
    private final PathQueries queries;
    private final Consumer<Device> changes;
    private final AtomicBoolean opened = new AtomicBoolean();
    /** Whether changes are read: once who has opened the device has read it first. */
    private volatile boolean following;

    private final AtomicBoolean addressesStale = new AtomicBoolean();
    private final Refresh refresh = new Refresh(this::read);

    private final Set<DeviceMember> members = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<ListeningPoint> points = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean marked;
    private long version;
    /** With more ids than this nobody waits for one to go; guarded by the monitor. */
    private int fewMembers = Integer.MAX_VALUE;

    private volatile List<InetAddress> addresses = List.of();
    private volatile LinkState link = LinkState.UNKNOWN;
    private volatile Map<String, Long> counters = Map.of();
    private final AtomicBoolean readingCounters = new AtomicBoolean();

    /**
     * Makes a device that is not open yet; calls nothing of its provider.
     *
     * @param provider the provider's device
     * @param name its name
     * @param rank which of two devices with an address serves it
     * @param services what a device needs of core
     */
    public Device(ProviderDevice provider, String name, DeviceRank rank, Services services) {
        this.provider = provider;
        this.rank = rank;
        this.name = name;
        guard = services.guard();
        changes = services.changes();
        gate = new Gate("calls into " + name);
        upcallGate = new Gate("upcalls of " + name);
        verbs = new VerbsDevice(name, provider, guard, gate, services.revocations(), this::changed);
        queries = new PathQueries(this, services.threads(), services.timer());
    }

    /**
     * What a device needs of core.
     *
     * @param guard admits calls
     * @param revocations runs {@code onRevoked} listeners
     * @param changes told, on whatever thread an upcall was made, that addresses or link have changed; must not block
     * @param threads core's own threads
     * @param timer core's timer
     */
    public record Services(
            Guard guard,
            BiConsumer<VerbsOwner, Runnable> revocations,
            Consumer<Device> changes,
            java.util.concurrent.Executor threads,
            java.util.concurrent.ScheduledExecutorService timer) {}

    /**
     * Asks the provider what the device is, before it is opened.
     *
     * @throws RdmaException if the provider does not tell
     */
    void describe() throws RdmaException {
        call(() -> {
            ToldAttributes told = ToldAttributes.of(provider.attributes());
            description = DeviceDescription.of(told);
            attributes = told;
            verbs.learn(told);
            return null;
        });
    }

    /**
     * Opens the provider's device and reads its addresses.
     *
     * @throws RdmaException if the provider cannot open it
     */
    public void open() throws RdmaException {
        call(() -> {
            provider.open(this);
            opened.set(true);
            // By this thread, which goes on with what it finds, whoever else is told to look meanwhile.
            readNow();
            return null;
        });
        following = true;
        if (addressesStale.get()) {
            refresh();
        }
    }

    /** Closes the provider's device if it was opened, once. No other thread is inside of the gate. */
    void closeProvider() {
        if (opened.compareAndSet(true, false)) {
            closing("device", provider::close);
        }
    }

    /**
     * Closes a device that was opened, but could not be added: an upcall may have led other threads inside meanwhile. This
     * thread stays inside itself, for a removal to find it.
     *
     * @param limitNanos how long to wait for the others
     * @return {@code false} if one of them does not come back, so that the device must not be closed
     */
    boolean endOpen(long limitNanos) {
        Presence here = enter();
        if (here == null) {
            // Its removal closes it.
            return true;
        }
        try {
            guard.shut(gate);
            guard.shut(upcallGate);
            boolean alone = awaitOutside(System.nanoTime() + limitNanos);
            if (alone) {
                closeProvider();
            }
            return alone;
        } finally {
            here.exit();
        }
    }

    /** Waits until no other thread is inside, in either direction. Both gates are shut. */
    boolean awaitOutside(long deadlineNanos) {
        return guard.awaitOutside(gate, deadlineNanos) && guard.awaitOutside(upcallGate, deadlineNanos);
    }

    /** Logs where the threads are that do not come back, be it from the provider or from what it tells. */
    void logHanging() {
        Set<Thread> threads = new LinkedHashSet<>();
        for (Gate shut : List.of(gate, upcallGate)) {
            guard.inside(shut).forEach(inside -> threads.add(inside.thread()));
        }
        threads.forEach(this::logHanging);
    }

    /** Logs where a thread is that does not come back from the provider. */
    void logHanging(Thread thread) {
        StringBuilder stack = new StringBuilder();
        for (StackTraceElement frame : thread.getStackTrace()) {
            stack.append("\n    at ").append(frame);
        }
        LOGGER.error(
                "device {} is abandoned: thread {} does not come back from provider {}{}",
                name,
                thread.getName(),
                description.provider(),
                stack);
    }

    /**
     * Returns the name.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Returns what the device is for people.
     *
     * @return the description, unknown until the provider has told it
     */
    public DeviceDescription description() {
        return description;
    }

    /**
     * Returns what the device is, as its provider has told once.
     *
     * @return the attributes; {@code null} until the provider has told them, which is before the device is open
     */
    public DeviceAttributes attributes() {
        return attributes;
    }

    /**
     * Returns which of two devices with an address serves it.
     *
     * @return the rank
     */
    public DeviceRank rank() {
        return rank;
    }

    void setRank(DeviceRank changed) {
        rank = changed;
    }

    /**
     * Returns the addresses as they were read last.
     *
     * @return the addresses
     */
    public List<InetAddress> addresses() {
        return addresses;
    }

    /**
     * Returns the link state as it was read last.
     *
     * @return the link state
     */
    public LinkState link() {
        return link;
    }

    /**
     * Returns the verbs objects made on the device.
     *
     * @return the verbs objects
     */
    public VerbsDevice verbs() {
        return verbs;
    }

    /**
     * Returns the path queries that run on the device.
     *
     * @return the path queries
     */
    public PathQueries queries() {
        return queries;
    }

    /**
     * Returns the provider's device, to be called inside of {@link #call} only.
     *
     * @return the provider's device
     */
    public ProviderDevice provider() {
        return provider;
    }

    Guard guard() {
        return guard;
    }

    Gate gate() {
        return gate;
    }

    Gate upcallGate() {
        return upcallGate;
    }

    // Calls and upcalls

    /**
     * Goes inside the provider.
     *
     * @return where the thread is, for it to {@link Presence#exit()}; {@code null} if the device is past its revocation. Kept
     *     because a thread that has come to the end of its stack might not find it again
     */
    public Presence enter() {
        return enter(gate);
    }

    /**
     * Begins an upcall of the provider. The first on a thread needs a little memory; where there is none it waits for some,
     * because what the provider has to tell must not be lost (C3).
     *
     * @return where the thread is, for it to {@link Presence#exit()}; {@code null} if it comes too late
     */
    public Presence enterUpcall() {
        while (true) {
            try {
                return enter(upcallGate);
            } catch (OutOfMemoryError noMemory) {
                LockSupport.parkNanos(MEMORY_NANOS);
            }
        }
    }

    private Presence enter(Gate wanted) {
        Presence here = guard.presence(wanted);
        return here.enter(wanted) ? here : null;
    }

    /**
     * Calls the provider.
     *
     * @param call the call
     * @param <T> what it returns
     * @return what the provider returns
     * @throws DeviceRemovedException if the device is past its revocation
     * @throws RdmaException what the provider throws, or INPUT_OUTPUT for what it must not throw
     */
    public <T> T call(ProviderCall<T> call) throws RdmaException {
        Presence here = enter();
        if (here == null) {
            throw removed();
        }
        try {
            return call.make();
        } catch (IllegalStateException | IllegalArgumentException ownRule) {
            throw ownRule;
        } catch (VirtualMachineError fatal) {
            throw fatal;
        } catch (RuntimeException | Error broken) {
            throw new RdmaException(
                    RdmaError.INPUT_OUTPUT,
                    "provider " + description.provider() + " of device " + name + " failed: " + broken,
                    broken);
        } finally {
            here.exit();
        }
    }

    /**
     * Runs a close of a provider's object and survives what it throws. The caller is inside of the gate, or behind it.
     *
     * @param what names the object
     * @param close the close
     */
    public void closing(String what, Runnable close) {
        try {
            close.run();
        } catch (RuntimeException | Error broken) {
            LOGGER.warn("provider {} failed to close {} of device {}", description.provider(), what, name, broken);
        }
    }

    /**
     * Returns what a call throws when the device is gone.
     *
     * @return a new exception
     */
    public DeviceRemovedException removed() {
        return new DeviceRemovedException(name);
    }

    // Membership

    /**
     * Attaches an id, unless the device is marked.
     *
     * @param member the id
     * @throws DeviceRemovedException if the device is going
     */
    public synchronized void attach(DeviceMember member) throws DeviceRemovedException {
        if (marked) {
            throw removed();
        }
        members.add(member);
    }

    /**
     * Detaches an id.
     *
     * @param member the id
     */
    public synchronized void detach(DeviceMember member) {
        members.remove(member);
        changed();
    }

    synchronized void addPoint(ListeningPoint point) throws DeviceRemovedException {
        if (marked) {
            throw removed();
        }
        points.add(point);
    }

    synchronized void removePoint(ListeningPoint point) {
        points.remove(point);
        changed();
    }

    /**
     * Marks the device: from now on nothing is attached to it or made on it.
     *
     * @return {@code false} if it was marked before
     */
    boolean mark() {
        synchronized (this) {
            if (marked) {
                return false;
            }
            marked = true;
        }
        verbs.mark();
        queries.mark();
        return true;
    }

    /**
     * Tells whether the device is going or gone.
     *
     * @return {@code true} from the first step of its removal on
     */
    public synchronized boolean isMarked() {
        return marked;
    }

    /**
     * Throws if the device is going or gone.
     *
     * @throws DeviceRemovedException if it is
     */
    public void requireNotMarked() throws DeviceRemovedException {
        if (isMarked()) {
            throw removed();
        }
    }

    /**
     * Returns the ids that are bound to the device.
     *
     * @return a copy
     */
    public synchronized List<DeviceMember> members() {
        return new ArrayList<>(members);
    }

    synchronized List<ListeningPoint> points() {
        return new ArrayList<>(points);
    }

    /** Wakes a removal that waits for ids or queue pairs to go. */
    public synchronized void changed() {
        version++;
        // With thousands of ids going, to wake the removal for each would cost more than the rest.
        if (members.size() <= fewMembers) {
            notifyAll();
        }
    }

    synchronized long version() {
        return version;
    }

    /** Waits until something has changed since a version and few enough ids are left, or for some milliseconds. */
    synchronized void awaitChange(long since, int few, long millis) throws InterruptedException {
        fewMembers = few;
        long end = System.nanoTime() + millis * 1_000_000;
        long left = millis;
        while (left > 0 && (version == since || members.size() > few)) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }

    // Counters

    /**
     * Begins a reading of the counters, to be followed by {@link #readCounters} or {@link #skipCounters}.
     *
     * @return {@code false} while one is under way, which may hang
     */
    public boolean beginReadingCounters() {
        return readingCounters.compareAndSet(false, true);
    }

    /** Asks the provider for the counters of the device and for those of its queue pairs; hangs if the provider does. */
    public void readCounters() {
        try {
            Presence here = enter();
            if (here == null) {
                return;
            }
            try {
                counters = ToldCounters.ask(name, provider::readCounters);
            } finally {
                here.exit();
            }
            verbs.readQueuePairs();
        } finally {
            readingCounters.set(false);
        }
    }

    /** Ends a reading that cannot be done. */
    public void skipCounters() {
        readingCounters.set(false);
    }

    /**
     * Returns the counters as the provider has told them last.
     *
     * @return the counters in its order
     */
    public Map<String, Long> counters() {
        return counters;
    }

    // What the provider tells

    /** Reads addresses and link again, or lets the thread that does it do it once more. Called on a core thread. */
    public void refresh() {
        refresh.ask();
    }

    private void read() {
        if (!following) {
            // A change told while it was being opened stays one that is to be read when it is open.
            return;
        }
        Presence here = enter();
        if (here == null) {
            return;
        }
        try {
            readNow();
        } finally {
            here.exit();
        }
    }

    private void readNow() {
        addressesStale.set(false);
        try {
            addresses = provider.addresses().stream().map(AddressKey::canonical).toList();
            link = Objects.requireNonNull(provider.linkState(), "linkState");
        } catch (RuntimeException | LinkageError | AssertionError broken) {
            LOGGER.warn("provider {} cannot tell the addresses of {}", description.provider(), name, broken);
        }
    }

    @Override
    public void addressesChanged() {
        tellChange();
    }

    @Override
    public void linkChanged() {
        tellChange();
    }

    private void tellChange() {
        Presence here = enterUpcall();
        if (here != null) {
            try {
                if (addressesStale.compareAndSet(false, true)) {
                    changes.accept(this);
                }
            } catch (RejectedExecutionException | OutOfMemoryError noThread) {
                // Forgotten here, so that the next change is not absorbed by one that is never read.
                addressesStale.set(false);
                LOGGER.warn("no thread to read the addresses of {} again: {}", name, noThread.toString());
            } finally {
                here.exit();
            }
        }
    }

    @Override
    public void gone() {
        // The provider's calls fail fast from now on; what makes the removal is its unregistration.
        LOGGER.debug("device {} is gone below its provider", name);
    }

    @Override
    public String toString() {
        return name;
    }
}
