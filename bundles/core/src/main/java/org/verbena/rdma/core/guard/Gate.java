package org.verbena.rdma.core.guard;

import java.util.Objects;

/**
 * Something that threads can be inside of, until it is shut: an object of a provider, a device, a direction of calls.
 * Shutting a gate shuts those below it as well. It cannot be opened again.
 *
 * <p>Threads go through a gate by {@link Guard#enter} and {@link Guard#exit}. The only state is one volatile flag, written
 * by {@link Guard#shut}; a gate knows nothing of who is inside, so that entering it writes nothing that threads share.
 */
public final class Gate {
    private final String name;
    private final Gate parent;

    // The nearest gates above, each the one before it where there is none: read side by side, not one after the other.
    private final Gate second;
    private final Gate third;
    private final Gate fourth;

    private volatile boolean shut;

    /**
     * The presence of a thread that comes often, with the one guard that this gate is used with. A hint, written without
     * order: a thread uses no other presence than the one that it has made itself, and so sees it whole.
     */
    private Presence usual;

    /**
     * Makes an open gate that is below no other.
     *
     * @param name what it leads to, for people
     */
    public Gate(String name) {
        this(name, null);
    }

    /**
     * Makes an open gate.
     *
     * @param name what it leads to, for people
     * @param parent the gate above, or {@code null}
     */
    public Gate(String name, Gate parent) {
        this.name = Objects.requireNonNull(name, "name");
        this.parent = parent;
        second = above(this);
        third = above(second);
        fourth = above(third);
    }

    private static Gate above(Gate gate) {
        return gate.parent == null ? gate : gate.parent;
    }

    /**
     * Returns what this leads to.
     *
     * @return a few words
     */
    public String name() {
        return name;
    }

    /**
     * Tells whether this, or a gate above it, is shut.
     *
     * @return {@code true} for ever once it is
     */
    public boolean isShut() {
        if (shut || second.shut || third.shut || fourth.shut) {
            return true;
        }
        Gate fifth = fourth.parent;
        return fifth != null && fifth.isShut();
    }

    /**
     * Tells whether a thread that is inside this is inside another gate thereby.
     *
     * @param other a gate
     * @return {@code true} if the other is this one or above it
     */
    public boolean isWithin(Gate other) {
        for (Gate gate = this; gate != null; gate = gate.parent) {
            if (gate == other) {
                return true;
            }
        }
        return false;
    }

    /** The presence of the current thread if that is the usual one here, or {@code null}. */
    Presence usual(Thread current) {
        Presence presence = usual;
        return presence != null && presence.refersTo(current) ? presence : null;
    }

    /** Makes a presence the usual one, sometimes: when there is none, or now and then when another one comes. */
    void suggest(Presence presence) {
        if (usual == null || presence.isSeldom()) {
            usual = presence;
        }
    }

    /** Sets the flag; {@link Guard#shut} adds the fence. */
    void shut() {
        shut = true;
    }

    @Override
    public String toString() {
        return name;
    }
}
