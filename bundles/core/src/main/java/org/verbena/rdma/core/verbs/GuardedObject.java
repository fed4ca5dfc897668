package org.verbena.rdma.core.verbs;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.VerbsObject;
import org.verbena.rdma.core.guard.Gate;

/**
 * What all verbs objects have in common. The fields that say how it stands with the object are guarded by the lock of
 * {@link OpenObjects}, which alone changes them; the fate may be read without it. Calls into the provider's object go
 * through the gate of this object, which is shut before the provider's object is closed.
 */
abstract class GuardedObject implements VerbsObject {
    /** What is wrong when a provider returns {@code null} for an object. */
    static final String NOTHING = "the provider has returned nothing";

    final VerbsHome home;
    final Kind kind;
    final VerbsOwner owner;
    final List<GuardedObject> parents;
    private final RdmaDevice view;

    /** How it stands with the object; written under the lock of {@link OpenObjects}. */
    volatile Fate fate = Fate.OPEN;

    /** Counts the objects of a kind, for people. */
    int number;

    /** Whether it was handed to its owner; from then on who takes it away must free it. Written under the lock. */
    volatile boolean made;

    /** Whether it is over: the provider's object is freed, or must not be touched any more. */
    boolean released;

    /** Who frees it now, or {@code null}. */
    Thread closer;

    /** What depends on it; empty and shared until there is something. */
    Set<GuardedObject> children = Set.of();

    /** What to run after a revocation; {@code null} until there is something. */
    ArrayDeque<Runnable> listeners;

    /** Whether the listeners may run: it was taken away, and what it leaves is in place. */
    boolean told;

    /** Whether a task that runs listeners is under way. */
    boolean telling;

    GuardedObject(VerbsHome home, Kind kind, VerbsOwner owner, RdmaDevice view, List<GuardedObject> parents) {
        this.home = home;
        this.kind = kind;
        this.owner = owner;
        this.view = view;
        this.parents = parents;
    }

    /** The gate of the calls on the provider's object, or {@code null} where there are none. */
    abstract Gate gate();

    /** Makes the provider's object. Called once, inside the provider. */
    abstract void create() throws RdmaException;

    /** Waits until no other thread uses the provider's object; its gate is shut, or its fate says that it is over. */
    abstract boolean awaitUnused(long deadlineNanos, BooleanSupplier giveUp);

    /** Frees the provider's object, if it was made. Called once, inside the provider. */
    abstract void release();

    /** The memory that must be kept if the provider's object cannot be freed, or {@code null}. */
    ByteBuffer memory() {
        return null;
    }

    /** The fate has changed; the provider's object is still there. */
    void stopped() {}

    /** It is over. Called once, without locks. */
    void settled() {}

    /** Adds something that depends on this; under the lock. */
    final void addChild(GuardedObject child) {
        if (children.isEmpty()) {
            children = new LinkedHashSet<>();
        }
        children.add(child);
    }

    /** Takes away something that depended on this; under the lock. */
    final void removeChild(GuardedObject child) {
        if (!children.isEmpty()) {
            children.remove(child);
        }
    }

    /** Names this for people, such as {@code memory region 2}. */
    String label() {
        return kind + " " + number;
    }

    /** Whether calls may still come to something: it is open, or leaves something after a removal. */
    final boolean isLeft() {
        return fate == Fate.OPEN || fate == Fate.REMOVED;
    }

    /** Says why a call was turned back. */
    final RdmaException refusal() {
        return switch (fate) {
            case OPEN, REMOVED -> new DeviceRemovedException(home.device());
            case CLOSED ->
                new RdmaException(
                        RdmaError.INVALID_ARGUMENT, label() + " of " + home.device() + " is closed: make a new one");
            case ENDED ->
                new RdmaException(
                        RdmaError.CONNECTION_ABORTED,
                        label() + " of " + home.device() + " has ended with the session of " + owner.bundle()
                                + " that it was made through");
        };
    }

    @Override
    public final RdmaDevice device() {
        return view;
    }

    @Override
    public final boolean isOpen() {
        return fate == Fate.OPEN && !home.gate().isShut();
    }

    @Override
    public final void close() throws RdmaException {
        home.life().close(this);
    }

    @Override
    public final void onRevoked(Runnable listener) {
        home.life().onRevoked(this, Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public final String toString() {
        return label() + " of " + home.device();
    }
}
