package org.verbena.rdma.core.verbs;

import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.guard.Presence;

/**
 * Makes and frees verbs objects, each in the one order that leaves no race: recorded, then made; marked, then shut, then
 * left by all threads, then freed, then forgotten. Whatever frees an object (its owner, the end of a session, a removal)
 * goes through here, and the record says who of them does it.
 *
 * <p>Has no lock. The gate guards the provider: it is entered to make and to free objects, and shut by the removal of the
 * device, from when on objects are left to {@link #free}. The flag {@code abandoned} says that the provider must not be
 * called any more by anyone.
 */
final class ObjectLife {
    private static final Logger LOGGER = LoggerFactory.getLogger(ObjectLife.class);

    private final String device;
    private final Guard guard;
    private final Gate gate;
    private final OpenObjects objects;
    private final BiConsumer<VerbsOwner, Runnable> dispatcher;
    private final Runnable changed;
    private volatile boolean abandoned;

    ObjectLife(
            String device,
            Guard guard,
            Gate gate,
            OpenObjects objects,
            BiConsumer<VerbsOwner, Runnable> dispatcher,
            Runnable changed) {
        this.device = device;
        this.guard = guard;
        this.gate = gate;
        this.objects = objects;
        this.dispatcher = dispatcher;
        this.changed = changed;
    }

    /** Never calls the provider again. */
    void abandon() {
        abandoned = true;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    /**
     * Makes an object at the provider.
     *
     * @return the object
     */
    <T extends GuardedObject> T make(T object) throws RdmaException {
        objects.add(object);
        boolean kept = false;
        try {
            object.owner.ensureOpen();
            Presence here = guard.presence();
            if (!here.enter(gate)) {
                throw new DeviceRemovedException(device);
            }
            try {
                kept = create(object);
            } finally {
                here.exit();
            }
        } finally {
            if (!kept) {
                settle(object);
            }
        }
        if (!kept) {
            throw object.refusal();
        }
        return object;
    }

    private boolean create(GuardedObject object) throws RdmaException {
        boolean kept = false;
        try {
            object.create();
            kept = objects.keep(object);
        } catch (RuntimeException | Error failure) {
            throw ProviderFailure.of("making a " + object.kind + " of " + device, failure);
        } finally {
            if (!kept) {
                release(object);
                settle(object);
            }
        }
        return kept;
    }

    /** Closes an object on behalf of its owner. */
    void close(GuardedObject object) throws RdmaException {
        boolean inside = guard.isInside(gate);
        if (!objects.close(object)) {
            if (!inside && object.fate != Fate.REMOVED) {
                objects.awaitCloser(object);
            }
            return;
        }
        object.stopped();
        if (inside) {
            // On the stack of a call into the provider, which must be over before anything is freed.
            shut(object);
            objects.handOver(object);
            dispatch(object, () -> {
                if (objects.take(object)) {
                    dispose(object, forEver());
                }
            });
            return;
        }
        Throwable failure = dispose(object, forEver());
        if (failure != null) {
            throw ProviderFailure.of("closing " + object, failure);
        }
    }

    private static long forEver() {
        return System.nanoTime() + Long.MAX_VALUE / 2;
    }

    /** Turns calls on an object back from now on. */
    void shut(GuardedObject object) {
        if (object.gate() != null) {
            guard.shut(object.gate());
        }
    }

    /**
     * Frees an object that the current thread has taken, or leaves it to the removal of the device if that has come so far,
     * or if the time is over.
     *
     * @return what the provider has thrown, or {@code null}
     */
    Throwable dispose(GuardedObject object, long deadlineNanos) {
        shut(object);
        Presence here = guard.presence();
        if (!object.awaitUnused(deadlineNanos, gate::isShut)
                || !objects.awaitChildless(object, deadlineNanos)
                || !here.enter(gate)) {
            objects.handOver(object);
            return null;
        }
        Throwable failure;
        try {
            failure = release(object);
            // Before it leaves: who finds nobody inside frees all that is not over.
            settle(object);
        } finally {
            here.exit();
        }
        return failure;
    }

    /** Frees an object when the device is shut and no thread is inside. */
    void free(GuardedObject object) {
        release(object);
        if (!abandoned) {
            settle(object);
        }
    }

    private Throwable release(GuardedObject object) {
        if (abandoned) {
            keepMemory(List.of(object));
            return null;
        }
        try {
            object.release();
            return null;
        } catch (RuntimeException | Error failure) {
            LOGGER.warn("The provider has failed to close {}; it counts as closed", object, failure);
            keepMemory(List.of(object));
            return failure;
        }
    }

    /** Keeps the memory of objects that the provider may go on to use. */
    void keepMemory(List<GuardedObject> lost) {
        KeptMemory.keep(lost.stream()
                .map(GuardedObject::memory)
                .filter(Objects::nonNull)
                .toList());
    }

    /** Says that an object is over. */
    void settle(GuardedObject object) {
        if (objects.remove(object)) {
            try {
                object.settled();
            } catch (RuntimeException failure) {
                LOGGER.warn("What follows the close of {} has failed", object, failure);
            }
            changed.run();
        }
    }

    void onRevoked(GuardedObject object, Runnable listener) {
        if (objects.addListener(object, listener)) {
            dispatch(object, () -> runListeners(object));
        }
    }

    /** Lets the listeners of an object that was taken away run. */
    void tell(GuardedObject object) {
        if (objects.tell(object)) {
            dispatch(object, () -> runListeners(object));
        }
    }

    private void runListeners(GuardedObject object) {
        for (Runnable next = objects.nextListener(object); next != null; next = objects.nextListener(object)) {
            try {
                next.run();
            } catch (RuntimeException | Error failure) {
                LOGGER.warn("A listener of bundle {} for {} has failed", object.owner.bundle(), object, failure);
            }
        }
    }

    private void dispatch(GuardedObject object, Runnable task) {
        try {
            dispatcher.accept(object.owner, task);
        } catch (RuntimeException refused) {
            LOGGER.debug("Nothing is dispatched for bundle {} any more", object.owner.bundle(), refused);
        }
    }
}
