package org.verbena.rdma.core.verbs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.RdmaException;

/**
 * Which verbs objects there are, what depends on what, and who frees what. An object is in here from before the provider is
 * asked to make it until after the provider has freed it, so that of an object that is made and a parent that is closed
 * at the same time exactly one wins.
 *
 * <p>One lock guards all this, and the fields of {@link GuardedObject} that say so. Nothing is called under it but the
 * collections of this package.
 */
final class OpenObjects {
    private final String device;
    private final ReentrantLock lock = new ReentrantLock();

    /** An object is over, or nobody frees it any more. */
    private final Condition settled = lock.newCondition();

    private final Map<Kind, Set<GuardedObject>> objects = new EnumMap<>(Kind.class);
    private final Map<Kind, Integer> numbers = new EnumMap<>(Kind.class);
    private boolean marked;

    OpenObjects(String device) {
        this.device = device;
        for (Kind kind : Kind.values()) {
            objects.put(kind, new LinkedHashSet<>());
        }
    }

    /** Refuses all new objects from now on. */
    void mark() {
        lock.lock();
        try {
            marked = true;
        } finally {
            lock.unlock();
        }
    }

    /** Adds an object that is going to be made; from now on its parents cannot be closed. */
    void add(GuardedObject object) throws RdmaException {
        lock.lock();
        try {
            if (marked) {
                throw new DeviceRemovedException(device);
            }
            for (GuardedObject parent : object.parents) {
                if (parent.fate != Fate.OPEN) {
                    throw parent.refusal();
                }
            }
            object.number = numbers.merge(object.kind, 1, Integer::sum);
            objects.get(object.kind).add(object);
            for (GuardedObject parent : object.parents) {
                parent.addChild(object);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Hands an object to its owner, unless it was taken away meanwhile. */
    boolean keep(GuardedObject object) {
        lock.lock();
        try {
            object.made = object.fate == Fate.OPEN;
            return object.made;
        } finally {
            lock.unlock();
        }
    }

    /** The object is over; returns whether it was not before. */
    boolean remove(GuardedObject object) {
        lock.lock();
        try {
            return removeLocked(object);
        } finally {
            lock.unlock();
        }
    }

    private boolean removeLocked(GuardedObject object) {
        if (object.released) {
            return false;
        }
        object.released = true;
        object.closer = null;
        objects.get(object.kind).remove(object);
        for (GuardedObject parent : object.parents) {
            parent.removeChild(object);
        }
        settled.signalAll();
        return true;
    }

    /**
     * Begins a close by the owner.
     *
     * @return whether the caller is the one to free the object
     * @throws IllegalStateException if something depends on it
     */
    boolean close(GuardedObject object) {
        lock.lock();
        try {
            if (object.fate != Fate.OPEN) {
                return false;
            }
            if (!object.children.isEmpty()) {
                throw new IllegalStateException(object + " still has "
                        + object.children.stream().map(GuardedObject::label).collect(Collectors.joining(", "))
                        + ": close that first");
            }
            object.fate = Fate.CLOSED;
            object.listeners = null;
            object.closer = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until whoever frees the object is done with it, or leaves it to the removal of the device. */
    void awaitCloser(GuardedObject object) {
        lock.lock();
        try {
            while (!object.released && object.closer != null && object.closer != Thread.currentThread()) {
                settled.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Tells whether an object is over. */
    boolean isOver(GuardedObject object) {
        lock.lock();
        try {
            return object.released;
        } finally {
            lock.unlock();
        }
    }

    /** Tells whether the current thread is to free an object. */
    boolean isCloser(GuardedObject object) {
        lock.lock();
        try {
            return object.closer == Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    /** Takes it upon the current thread to free an object, if it is not over and nobody else does. */
    boolean take(GuardedObject object) {
        lock.lock();
        try {
            if (object.released || object.closer != null) {
                return false;
            }
            object.closer = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Leaves an object that the current thread was to free to somebody else. */
    void handOver(GuardedObject object) {
        lock.lock();
        try {
            if (object.closer == Thread.currentThread()) {
                object.closer = null;
                settled.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nothing depends on an object any more. */
    boolean awaitChildless(GuardedObject object, long deadlineNanos) {
        return await(() -> object.children.isEmpty(), deadlineNanos);
    }

    /** Waits until objects are over. */
    boolean awaitReleased(Collection<GuardedObject> some, long deadlineNanos) {
        return await(() -> some.stream().allMatch(object -> object.released), deadlineNanos);
    }

    private boolean await(BooleanSupplier condition, long deadlineNanos) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                try {
                    settled.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Takes away, because the device goes, what no queue pair needs. The current thread is to free it.
     *
     * @return the objects in the order in which they are freed
     */
    List<GuardedObject> takeUnused() {
        lock.lock();
        try {
            List<GuardedObject> unused = new ArrayList<>();
            for (GuardedObject domain : objects.get(Kind.PROTECTION_DOMAIN)) {
                if (isFree(domain) && domain.children.stream().allMatch(this::isFreeOfQueuePairs)) {
                    domain.children.stream().filter(this::isFree).forEach(unused::add);
                    unused.add(domain);
                }
            }
            for (GuardedObject queue : objects.get(Kind.COMPLETION_QUEUE)) {
                if (isFree(queue) && queue.children.isEmpty()) {
                    unused.add(queue);
                }
            }
            Set<GuardedObject> going = new LinkedHashSet<>(unused);
            for (GuardedObject channel : objects.get(Kind.COMPLETION_CHANNEL)) {
                if (isFree(channel) && going.containsAll(channel.children)) {
                    unused.add(channel);
                }
            }
            for (GuardedObject object : unused) {
                object.fate = Fate.REMOVED;
                object.closer = Thread.currentThread();
            }
            unused.sort(Comparator.comparing(object -> object.kind));
            return unused;
        } finally {
            lock.unlock();
        }
    }

    private boolean isFree(GuardedObject object) {
        return object.fate == Fate.OPEN && object.made && object.closer == null;
    }

    private boolean isFreeOfQueuePairs(GuardedObject child) {
        return child.kind != Kind.QUEUE_PAIR && child.children.isEmpty() && (child.made || child.fate != Fate.OPEN);
    }

    /**
     * Takes away what an owner has made, and what depends on it, because the session has ended. The current thread is to free
     * what it is the {@code closer} of.
     *
     * @return the objects that are not over, in the order in which they are freed
     */
    List<GuardedObject> takeAllOf(VerbsOwner owner) {
        lock.lock();
        try {
            Set<GuardedObject> ended = new LinkedHashSet<>();
            ArrayDeque<GuardedObject> found = new ArrayDeque<>();
            for (GuardedObject object : allLocked()) {
                if (object.owner == owner) {
                    found.add(object);
                }
            }
            while (!found.isEmpty()) {
                GuardedObject object = found.remove();
                if (ended.add(object)) {
                    found.addAll(object.children);
                }
            }
            List<GuardedObject> ordered = new ArrayList<>(ended);
            ordered.sort(Comparator.comparing(object -> object.kind));
            for (GuardedObject object : ordered) {
                if (object.fate == Fate.OPEN) {
                    object.fate = Fate.ENDED;
                }
                if (object.made && object.closer == null) {
                    object.closer = Thread.currentThread();
                }
            }
            return ordered;
        } finally {
            lock.unlock();
        }
    }

    /** Takes away everything because the device goes; returns all that is not over, in the order in which it is freed. */
    List<GuardedObject> takeAll() {
        lock.lock();
        try {
            marked = true;
            List<GuardedObject> all = allLocked();
            for (GuardedObject object : all) {
                if (object.fate == Fate.OPEN) {
                    object.fate = Fate.REMOVED;
                }
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Everything that is not over, in the order in which it is freed. */
    List<GuardedObject> all() {
        lock.lock();
        try {
            return allLocked();
        } finally {
            lock.unlock();
        }
    }

    private List<GuardedObject> allLocked() {
        List<GuardedObject> all = new ArrayList<>();
        objects.values().forEach(all::addAll);
        return all;
    }

    int count() {
        lock.lock();
        try {
            return objects.values().stream().mapToInt(Set::size).sum();
        } finally {
            lock.unlock();
        }
    }

    int count(Kind kind) {
        lock.lock();
        try {
            return objects.get(kind).size();
        } finally {
            lock.unlock();
        }
    }

    Map<VerbsOwner, Integer> countByOwner() {
        Map<VerbsOwner, Integer> counts = new HashMap<>();
        for (GuardedObject object : all()) {
            counts.merge(object.owner, 1, Integer::sum);
        }
        return counts;
    }

    /** Adds a listener; returns whether the caller must begin to run listeners. */
    boolean addListener(GuardedObject object, Runnable listener) {
        lock.lock();
        try {
            if (object.fate == Fate.CLOSED) {
                return false;
            }
            if (object.listeners == null) {
                object.listeners = new ArrayDeque<>(1);
            }
            object.listeners.add(listener);
            return beginTelling(object);
        } finally {
            lock.unlock();
        }
    }

    /** The listeners of an object that was taken away may run now; returns whether the caller must begin to run them. */
    boolean tell(GuardedObject object) {
        lock.lock();
        try {
            object.told |= object.fate == Fate.REMOVED || object.fate == Fate.ENDED;
            return beginTelling(object);
        } finally {
            lock.unlock();
        }
    }

    private boolean beginTelling(GuardedObject object) {
        if (!object.told || object.telling || object.listeners == null || object.listeners.isEmpty()) {
            return false;
        }
        object.telling = true;
        return true;
    }

    /** Takes the next listener to run, or {@code null} if there is none for now. */
    Runnable nextListener(GuardedObject object) {
        lock.lock();
        try {
            Runnable next = object.listeners.poll();
            object.telling = next != null;
            return next;
        } finally {
            lock.unlock();
        }
    }
}
