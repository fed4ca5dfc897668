package org.verbena.rdma.core.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Lets threads into provider objects and waits until they are out again, at the price of nanoseconds for those who go
 * in: hazard pointers with a grace period.
 *
 * <p>Each thread has a {@link Presence} that only it writes. Who goes in writes the gate there, and then reads whether the
 * gate is shut. Who shuts a gate writes that it is shut, and then reads the presences. With a full fence between write
 * and read on both sides at least one of the two sees the other: either the thread turns back, or it is waited for. With
 * anything weaker (release and acquire order a store before a store and a load before a load, but not a store before a
 * load) both may see nothing, because each store may still be in its processor's buffer, and the thread would go on
 * into an object that is being freed. The fence on the way in must therefore never be weakened, and never be skipped.
 *
 * <p>The way out is a release store: what the thread did inside comes before it, and before the freeing.
 *
 * <p>Waiting means to wait for each stay that was seen, by its number, not for a moment without stays: a stay that begins
 * after the gate was shut turns back by itself, so threads that come again and again delay nobody. A thread never
 * waits for itself.
 *
 * <p>Presences are in a table of this instance, not in a {@link ThreadLocal}: a thread of another bundle must not keep
 * the classes of core alive after core was updated. The table is found by the id of the thread with linear probing. A
 * lock guards additions, which happen once in the life of a thread, and takes places of threads that have ended for
 * new ones; the table is replaced by a larger one when half of it is in use. Searches take no lock.
 */
public final class Guard {
    private static final int SMALLEST = 64;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Presence[].class);

    private final Function<Thread, Presence> presences;
    private final ReentrantLock additions = new ReentrantLock();

    /** Guarded by {@link #additions}: how many places of the table are in use. */
    private int used;

    /** Written under {@link #additions}; the length is a power of two, and at least half of it is empty. */
    private volatile Presence[] table = new Presence[SMALLEST];

    /**
     * A thread that is inside of a gate.
     *
     * @param thread the thread
     * @param gate the gate that it has entered
     * @param stay tells this stay from all others of the thread
     */
    public record Inside(Thread thread, String gate, long stay) {}

    /** Makes a guard. */
    public Guard() {
        this(Presence::new);
    }

    /** Makes a guard with presences that tests take part in. */
    Guard(Function<Thread, Presence> presences) {
        this.presences = presences;
    }

    /**
     * Takes the current thread inside a gate, unless it is shut. A thread may be inside of several gates at a time.
     *
     * @param gate the gate
     * @return whether the thread is inside and must {@link #exit()}
     */
    public boolean enter(Gate gate) {
        return presence(gate).enter(gate);
    }

    /** Takes the current thread out of the gate that it has entered last and not left yet. */
    public void exit() {
        presence().exit();
    }

    /**
     * Returns the presence of the current thread, for calls where each nanosecond counts.
     *
     * @return a presence that only the current thread may use
     */
    public Presence presence() {
        Thread thread = Thread.currentThread();
        Presence[] all = table;
        int mask = all.length - 1;
        for (int i = (int) thread.getId() & mask; ; i = (i + 1) & mask) {
            Presence presence = all[i];
            if (presence == null) {
                return add(thread);
            }
            if (presence.refersTo(thread)) {
                return presence;
            }
        }
    }

    /**
     * Shuts a gate and thereby those below it. Threads that are inside stay there.
     *
     * @param gate the gate
     */
    public void shut(Gate gate) {
        gate.shut();
        VarHandle.fullFence();
    }

    /**
     * Waits until no other thread is inside a gate that is shut, or inside one below it.
     *
     * @param gate a gate that is shut
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime()}
     * @return {@code false} if the time was over before; {@link #inside} then tells who is inside
     */
    public boolean awaitOutside(Gate gate, long deadlineNanos) {
        return awaitOutside(gate, deadlineNanos, () -> false);
    }

    /**
     * Waits until no other thread is inside a gate that is shut, or inside one below it.
     *
     * @param gate a gate that is shut
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime()}
     * @param giveUp asked again and again whether to give up before
     * @return {@code false} if it gave up; {@link #inside} then tells who is inside
     */
    public boolean awaitOutside(Gate gate, long deadlineNanos, BooleanSupplier giveUp) {
        if (!gate.isShut()) {
            throw new IllegalStateException("gate " + gate + " is open: threads would go on entering it");
        }
        return awaitPassed(gate, deadlineNanos, giveUp);
    }

    /**
     * Waits until each other thread that is inside a gate now, or inside one below it, has left once. A thread that goes in
     * afterwards sees all that the caller wrote before the call.
     *
     * @param gate a gate, open or shut
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime()}
     * @return {@code false} if the time was over before
     */
    public boolean awaitPassed(Gate gate, long deadlineNanos) {
        return awaitPassed(gate, deadlineNanos, () -> false);
    }

    /**
     * Waits until each other thread that is inside a gate now, or inside one below it, has left once.
     *
     * @param gate a gate, open or shut
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime()}
     * @param giveUp asked again and again whether to give up before
     * @return {@code false} if it gave up
     */
    public boolean awaitPassed(Gate gate, long deadlineNanos, BooleanSupplier giveUp) {
        VarHandle.fullFence();
        Thread current = Thread.currentThread();
        Presence[] all = table;
        for (int i = 0; i < all.length; i++) {
            Presence presence = (Presence) ELEMENT.getAcquire(all, i);
            if (presence != null && !presence.refersTo(current) && !presence.awaitPassed(gate, deadlineNanos, giveUp)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Looks who is inside a gate, or inside one below it.
     *
     * @param gate the gate
     * @return the threads, the current one too, and the gate that each has entered
     */
    public List<Inside> inside(Gate gate) {
        VarHandle.fullFence();
        List<Inside> threads = new ArrayList<>();
        Presence[] all = table;
        for (int i = 0; i < all.length; i++) {
            Presence presence = (Presence) ELEMENT.getAcquire(all, i);
            Inside inside = presence == null ? null : presence.inside(gate);
            if (inside != null && inside.thread() != null && inside.thread().isAlive()) {
                threads.add(inside);
            }
        }
        return threads;
    }

    /**
     * Tells whether the current thread is inside a gate, or inside one below it.
     *
     * @param gate the gate
     * @return {@code true} if so
     */
    public boolean isInside(Gate gate) {
        return presence().isInside(gate);
    }

    /** How many presences the table has places for; half of them may be used. */
    int capacity() {
        return table.length;
    }

    /**
     * Returns the presence of the current thread, and finds it faster when the same thread often comes to the same gate.
     *
     * @param gate the gate that the thread is about to enter
     * @return a presence that only the current thread may use
     */
    public Presence presence(Gate gate) {
        Presence usual = gate.usual(Thread.currentThread());
        return usual != null ? usual : find(gate);
    }

    private Presence find(Gate gate) {
        Presence presence = presence();
        gate.suggest(presence);
        return presence;
    }

    private Presence add(Thread thread) {
        additions.lock();
        try {
            if ((used + 1) * 2 > table.length) {
                rebuild();
            }
            Presence presence = presences.apply(thread);
            if (place(table, presence, thread)) {
                used++;
            }
            return presence;
        } finally {
            additions.unlock();
        }
    }

    /** Puts a presence into a table; returns whether that has used up an empty place. */
    private static boolean place(Presence[] all, Presence presence, Thread thread) {
        int mask = all.length - 1;
        int i = (int) thread.getId() & mask;
        while (all[i] != null && !all[i].hasEnded()) {
            i = (i + 1) & mask;
        }
        boolean empty = all[i] == null;
        ELEMENT.setRelease(all, i, presence);
        return empty;
    }

    private void rebuild() {
        List<Presence> living = new ArrayList<>();
        for (Presence presence : table) {
            if (presence != null && !presence.hasEnded()) {
                living.add(presence);
            }
        }
        int length = SMALLEST;
        while (length < living.size() * 4) {
            length *= 2;
        }
        Presence[] larger = new Presence[length];
        int count = 0;
        for (Presence presence : living) {
            Thread thread = presence.get();
            if (thread != null && place(larger, presence, thread)) {
                count++;
            }
        }
        used = count;
        table = larger;
    }
}
