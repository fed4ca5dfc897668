package org.verbena.rdma.core.verbs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairType;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SharedReceiveQueue;
import org.verbena.rdma.VerbsObject;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.guard.Presence;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.ProviderDevice;

/**
 * All verbs objects that were made on a device in one period of use, and what a removal does to them, step by step. The
 * steps are called by one thread, one after the other, but for {@link #abandon()}, which may come from another thread
 * while a step hangs in the provider. Everything else may be called on any thread at any time.
 *
 * <p>Has no lock of its own: {@link OpenObjects} records what there is, {@link ObjectLife} makes and frees it. The gate of
 * the verbs is below that of the device and above those of all objects; shutting it takes the provider away from
 * consumers at once.
 */
public final class VerbsDevice {
    private static final Logger LOGGER = LoggerFactory.getLogger(VerbsDevice.class);

    private final String name;
    private final Guard guard;
    private final Gate gate;
    private final Gate removalGate;
    private final OpenObjects objects;
    private final ObjectLife life;
    private final VerbsHome home;

    /**
     * Begins with no objects.
     *
     * @param name the name of the device
     * @param provider the device, to be open before anything is made on it
     * @param guard knows who is inside
     * @param deviceGate the gate of the device; shut by the caller, after {@link #revoke} and before {@link #close}
     * @param dispatcher runs a task as a callback of an owner
     * @param changed called without locks, on any thread, when an object is over
     */
    public VerbsDevice(
            String name,
            ProviderDevice provider,
            Guard guard,
            Gate deviceGate,
            BiConsumer<VerbsOwner, Runnable> dispatcher,
            Runnable changed) {
        this.name = name;
        this.guard = guard;
        gate = new Gate("verbs of " + name, deviceGate);
        removalGate = new Gate("removal of verbs of " + name, deviceGate);
        objects = new OpenObjects(name);
        life = new ObjectLife(name, guard, gate, objects, dispatcher, changed);
        home = new VerbsHome(name, provider, guard, gate, life);
    }

    /**
     * Learns how much the device takes, before anything is made on it.
     *
     * @param told what the provider has told
     */
    public void learn(DeviceAttributes told) {
        home.learn(told);
    }

    /**
     * Makes a protection domain; see {@link RdmaDevice#createProtectionDomain()}.
     *
     * @param owner whose it is
     * @param view the device as its owner sees it
     * @return a new domain
     * @throws RdmaException if the device is going, the session has ended, or the provider refuses
     */
    public ProtectionDomain createProtectionDomain(VerbsOwner owner, RdmaDevice view) throws RdmaException {
        return life.make(new GuardedProtectionDomain(home, owner, view));
    }

    /**
     * Makes a completion channel; see {@link RdmaDevice#createCompletionChannel()}.
     *
     * @param owner whose it is
     * @param view the device as its owner sees it
     * @return a new channel
     * @throws RdmaException if the device is going, or the session has ended
     */
    public CompletionChannel createCompletionChannel(VerbsOwner owner, RdmaDevice view) throws RdmaException {
        return life.make(new GuardedCompletionChannel(home, owner, view));
    }

    /**
     * Makes a completion queue; see {@link RdmaDevice#createCompletionQueue}.
     *
     * @param owner whose it is
     * @param view the device as its owner sees it
     * @param entries how many completions it must hold
     * @param channel where its notifications go, or {@code null}
     * @return a new queue
     * @throws RdmaException if the device is going, the session has ended, or the provider refuses
     */
    public CompletionQueue createCompletionQueue(
            VerbsOwner owner, RdmaDevice view, int entries, CompletionChannel channel) throws RdmaException {
        home.limits().check("entries", entries, 1, home.limits().maxCompletionQueueEntries());
        GuardedCompletionChannel own =
                channel == null ? null : own(channel, GuardedCompletionChannel.class, Kind.COMPLETION_CHANNEL, owner);
        return life.make(new GuardedCompletionQueue(home, owner, view, entries, own));
    }

    /**
     * Makes the queue pair of an endpoint. The domain, the completion queues and the shared receive queue may have been
     * made through another session of the same bundle: a component has one session for devices and another for
     * connections.
     *
     * @param owner whose it is
     * @param view the device as its owner sees it
     * @param endpoint the endpoint, which the caller keeps from being closed meanwhile
     * @param domain the domain that it is in
     * @param configuration how to make it
     * @param closed run once, without locks, when the provider's queue pair is over, whoever closed it
     * @return a new queue pair
     * @throws RdmaException if the device is going, the session has ended, a size is out of range, or the provider refuses
     */
    public QueuePair createQueuePair(
            VerbsOwner owner,
            RdmaDevice view,
            Endpoint endpoint,
            ProtectionDomain domain,
            QueuePairConfiguration configuration,
            Runnable closed)
            throws RdmaException {
        GuardedProtectionDomain ownDomain = own(domain, GuardedProtectionDomain.class, Kind.PROTECTION_DOMAIN, owner);
        GuardedCompletionQueue sends =
                own(configuration.sendCompletionQueue(), GuardedCompletionQueue.class, Kind.COMPLETION_QUEUE, owner);
        GuardedCompletionQueue receives =
                own(configuration.receiveCompletionQueue(), GuardedCompletionQueue.class, Kind.COMPLETION_QUEUE, owner);
        SharedReceiveQueue shared = configuration.sharedReceiveQueue();
        GuardedSharedReceiveQueue ownShared =
                shared == null ? null : own(shared, GuardedSharedReceiveQueue.class, Kind.SHARED_RECEIVE_QUEUE, owner);
        if (ownShared != null && ownShared.protectionDomain() != ownDomain) {
            throw new IllegalArgumentException(
                    ownShared + " is in " + ownShared.protectionDomain() + ", the queue pair in " + ownDomain);
        }
        checkSizes(configuration);
        return life.make(new GuardedQueuePair(
                home, owner, view, endpoint, ownDomain, sends, receives, ownShared, configuration, closed));
    }

    private void checkSizes(QueuePairConfiguration configuration) throws RdmaException {
        DeviceLimits limits = home.limits();
        if (configuration.type() == QueuePairType.UNRELIABLE_DATAGRAM) {
            limits.checkOffers(DeviceCapability.DATAGRAM, "datagrams");
        }
        limits.check("maxSends", configuration.maxSends(), 1, limits.maxWorkRequests());
        limits.check("maxReceives", configuration.maxReceives(), 0, limits.maxWorkRequests());
        limits.check("maxSendSegments", configuration.maxSendSegments(), 0, limits.maxSegments());
        limits.check("maxReceiveSegments", configuration.maxReceiveSegments(), 0, limits.maxSegments());
        limits.check("maxInlineData", configuration.maxInlineData(), 0, limits.maxInlineData());
    }

    /** Finds the object behind what a consumer hands in. */
    private <T extends GuardedObject> T own(VerbsObject object, Class<T> type, Kind kind, VerbsOwner owner)
            throws RdmaException {
        Objects.requireNonNull(object, kind.toString());
        if (!type.isInstance(object)) {
            throw new IllegalArgumentException("the " + kind + " was not made by device " + name);
        }
        T own = type.cast(object);
        if (own.home != home) {
            if (own.fate == Fate.REMOVED && own.home.device().equals(name)) {
                throw own.refusal();
            }
            throw new IllegalArgumentException(own + " is foreign: device " + name + " can use its own only");
        }
        if (!own.owner.bundle().equals(owner.bundle())) {
            throw new IllegalArgumentException(own + " belongs to bundle " + own.owner.bundle() + ": bundle "
                    + owner.bundle() + " can use its own only");
        }
        return own;
    }

    /**
     * Closes a queue pair on behalf of its id. Returns when the provider's queue pair is closed, or at once when it is left
     * to the removal of the device.
     *
     * @param queuePair the queue pair, open or not
     * @return whether the provider's queue pair is closed; otherwise what it was made of must be left to the removal too
     */
    public boolean destroyQueuePair(QueuePair queuePair) {
        try {
            queuePair.close();
        } catch (RdmaException failure) {
            LOGGER.debug("{} has been closed with an error", queuePair, failure);
        }
        return objects.isOver((GuardedQueuePair) queuePair);
    }

    /**
     * Tells whether a queue pair may have outstanding work: something was posted on it, and not all is flushed.
     *
     * @param queuePair the queue pair
     * @return {@code false} if there is certainly none
     */
    public boolean mayHaveWork(QueuePair queuePair) {
        return queuePair instanceof GuardedQueuePair guarded && guarded.mayHaveWork();
    }

    /** Asks the provider for state and counters of all queue pairs. One thread at a time. */
    public void readQueuePairs() {
        for (GuardedObject object : objects.all()) {
            if (object instanceof GuardedQueuePair queuePair && queuePair.made) {
                queuePair.read();
            }
        }
    }

    /**
     * Returns what the provider has told of a queue pair last; does not ask it.
     *
     * @param queuePair the queue pair
     * @return what it has told
     */
    public QueuePairReading reading(QueuePair queuePair) {
        return ((GuardedQueuePair) queuePair).reading();
    }

    /** Step 1: from now on every creation throws; posts, polls and closes go on. */
    public void mark() {
        objects.mark();
    }

    /**
     * Tells whether there are queue pairs, open or being closed.
     *
     * @return {@code false} if the provider has none left
     */
    public boolean hasQueuePairs() {
        return objects.count(Kind.QUEUE_PAIR) > 0;
    }

    /**
     * Counts the objects that are not over: those that are open, in the making or being closed.
     *
     * @return how many there are
     */
    public int openObjects() {
        return objects.count();
    }

    /**
     * Counts the objects that are not over.
     *
     * @return how many there are of each kind, by its words; kinds without any are left out
     */
    public Map<String, Integer> countsByKind() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            int count = objects.count(kind);
            if (count > 0) {
                counts.put(kind.toString(), count);
            }
        }
        return counts;
    }

    /**
     * Counts the objects that are not over.
     *
     * @return how many each owner has; owners without any are left out
     */
    public Map<VerbsOwner, Integer> countsByOwner() {
        return objects.countByOwner();
    }

    /**
     * Step 5, as often as wanted: takes away what no queue pair needs. Calls the provider.
     *
     * @param deadlineNanos when to stop waiting for threads that are inside of an object; it is left to {@link #close}
     */
    public void closeUnused(long deadlineNanos) {
        List<GuardedObject> unused = objects.takeUnused();
        for (GuardedObject object : unused) {
            life.shut(object);
        }
        for (GuardedObject object : unused) {
            life.dispose(object, deadlineNanos);
        }
        unused.forEach(life::tell);
    }

    /**
     * Step 6: moves all queue pairs to error, takes everything away, and moves the completions to where they stay readable.
     * Calls the provider, and hangs if it does: then {@link #abandon()} on another thread.
     *
     * @param deadlineNanos when to stop waiting for threads that are inside of a completion queue; it is emptied by
     *     {@link #close}
     * @return the owners that had work outstanding
     */
    public Set<VerbsOwner> revoke(long deadlineNanos) {
        objects.mark();
        Set<VerbsOwner> forced = new HashSet<>();
        for (GuardedObject object : objects.all()) {
            if (object instanceof GuardedQueuePair queuePair
                    && queuePair.fate == Fate.OPEN
                    && queuePair.made
                    && !life.isAbandoned()) {
                if (queuePair.mayHaveWork()) {
                    forced.add(queuePair.owner);
                }
                queuePair.failForRemoval();
            }
        }
        guard.shut(gate);
        List<GuardedObject> all = objects.takeAll();
        for (GuardedObject object : all) {
            if (object instanceof GuardedCompletionQueue queue
                    && queue.fate == Fate.REMOVED
                    && queue.made
                    && queue.awaitUnused(deadlineNanos, life::isAbandoned)) {
                drain(queue);
            }
        }
        all.forEach(life::tell);
        return forced;
    }

    /** Empties a queue whose own gate is shut, so that a hang there is seen as a thread inside the provider. */
    private void drain(GuardedCompletionQueue queue) {
        Presence here = guard.presence();
        if (!here.enter(removalGate)) {
            return;
        }
        try {
            queue.drain();
        } finally {
            here.exit();
        }
    }

    /**
     * Step 8: closes the provider's objects, what depends on others first. The device gate is shut, and no thread is inside
     * the provider.
     */
    public void close() {
        guard.shut(gate);
        List<GuardedObject> all = objects.takeAll();
        for (GuardedObject object : all) {
            if (life.isAbandoned()) {
                return;
            }
            life.free(object);
        }
        home.forgetProvider();
        all.forEach(life::tell);
    }

    /**
     * Instead of step 8, when the provider hangs: it is never called again. Buffers of regions stay reachable for as long as
     * the JVM lives. May be called while another step hangs on another thread.
     */
    public void abandon() {
        life.abandon();
        guard.shut(gate);
        List<GuardedObject> all = objects.takeAll();
        life.keepMemory(all);
        all.forEach(life::settle);
        all.forEach(life::tell);
    }

    /**
     * The session of an owner has ended: closes what it has made, and what depends on that, whoever made it. Waiting threads
     * wake. Calls the provider.
     *
     * @param owner the owner, whose {@link VerbsOwner#ensureOpen()} throws already
     * @param deadlineNanos when to stop waiting for threads that are inside of an object; it is left to {@link #close}
     */
    public void endOwner(VerbsOwner owner, long deadlineNanos) {
        List<GuardedObject> ended = objects.takeAllOf(owner);
        List<GuardedObject> mine = new ArrayList<>();
        for (GuardedObject object : ended) {
            life.shut(object);
            if (object.fate == Fate.ENDED) {
                object.stopped();
            }
            if (objects.isCloser(object)) {
                mine.add(object);
            }
        }
        for (GuardedObject object : mine) {
            life.dispose(object, deadlineNanos);
        }
        objects.awaitReleased(ended, deadlineNanos);
        ended.forEach(life::tell);
    }
}
