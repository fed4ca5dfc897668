package org.verbena.rdma.core.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Where one thread is. Found by {@link Guard#presence()} and used by its thread alone, which saves {@link #exit} from
 * looking for it a second time. Written by its thread, read by those that shut gates, without a lock; padded, so that no
 * two threads write to one cache line. Refers to the thread weakly, so that one that has ended is not kept alive.
 *
 * <p>The usual case, one gate at a time, costs one store, the fence, the reads of the gate, and one store on the way out.
 * The last two gates stay remembered, because it costs more to store a reference than a number: a thread that posts to
 * a queue pair and polls a completion queue by turns stores numbers only.
 */
public class Presence extends PresenceState {
    private static final int SPINS = 100;
    private static final long LONGEST_PARK_NANOS = 1_000_000;
    private static final long INSIDE = 1;
    private static final long ODD = 2;
    private static final long STAY = 4;
    private static final long SELDOM = STAY * 0x3FF;

    private static final VarHandle SEQUENCE;
    private static final VarHandle EVEN;
    private static final VarHandle ODD_GATE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SEQUENCE = lookup.findVarHandle(PresenceState.class, "sequence", long.class);
            EVEN = lookup.findVarHandle(PresenceState.class, "even", Gate.class);
            ODD_GATE = lookup.findVarHandle(PresenceState.class, "odd", Gate.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    long back0;
    long back1;
    long back2;
    long back3;
    long back4;
    long back5;
    long back6;
    long back7;

    Presence(Thread thread) {
        super(thread);
    }

    /**
     * Goes inside a gate, unless it is shut.
     *
     * @param gate the gate
     * @return whether the thread is inside and must {@link #exit()}
     */
    public final boolean enter(Gate gate) {
        long before = (long) SEQUENCE.get(this);
        if ((before & INSIDE) != 0) {
            return enterNested(gate);
        }
        long stay = (before & ~ODD) + STAY + INSIDE;
        if (EVEN.get(this) != gate) {
            stay = remember(gate, before, stay);
        }
        try {
            SEQUENCE.setRelease(this, stay);
            fence();
            if (!gate.isShut()) {
                return true;
            }
            SEQUENCE.setRelease(this, stay - INSIDE);
        } catch (Error e) {
            sequence = stay - INSIDE;
            throw e;
        }
        return false;
    }

    /** Leaves the gate that was entered last and not left yet. */
    public final void exit() {
        if (nested != 0) {
            nested--;
            places[nested].sequence++;
            return;
        }
        try {
            SEQUENCE.setRelease(this, (long) SEQUENCE.get(this) & ~INSIDE);
        } catch (Error e) {
            sequence = sequence & ~INSIDE; // the stack has run out; this needs none
        }
    }

    /**
     * The fence between saying where one is and reading whether the gate is shut; see {@link Guard}. Tests override it to
     * stop a thread there.
     */
    void fence() {
        VarHandle.fullFence();
    }

    private long remember(Gate gate, long before, long stay) {
        if (ODD_GATE.get(this) == gate) {
            return stay | ODD;
        }
        if ((before & ODD) == 0 && EVEN.get(this) != null) {
            ODD_GATE.setOpaque(this, gate);
            return stay | ODD;
        }
        EVEN.setOpaque(this, gate);
        return stay;
    }

    private boolean enterNested(Gate gate) {
        Place place = nested < places.length ? places[nested] : addPlace();
        place.gate = gate;
        place.sequence++;
        try {
            fence();
            if (!gate.isShut()) {
                nested++;
                return true;
            }
        } catch (Error e) {
            place.sequence++;
            throw e;
        }
        place.sequence++;
        return false;
    }

    private Place addPlace() {
        Place[] more = Arrays.copyOf(places, places.length + 1);
        more[places.length] = new Place();
        places = more;
        return more[more.length - 1];
    }

    /** True once in so many stays of the thread. */
    final boolean isSeldom() {
        return ((long) SEQUENCE.get(this) & SELDOM) == 0;
    }

    /** Tells the thread itself whether it is inside a gate. */
    final boolean isInside(Gate gate) {
        return inside(gate) != null;
    }

    /** The outermost stay inside a gate, or {@code null}. */
    final Guard.Inside inside(Gate gate) {
        long stay = sequence;
        if ((stay & INSIDE) != 0 && gate(stay).isWithin(gate)) {
            return new Guard.Inside(get(), gate(stay).name(), stay);
        }
        for (Place place : places) {
            long nestedStay = place.sequence;
            Gate entered = place.gate;
            if ((nestedStay & INSIDE) != 0 && entered.isWithin(gate)) {
                return new Guard.Inside(get(), entered.name(), stay + nestedStay);
            }
        }
        return null;
    }

    private Gate gate(long stay) {
        return (stay & ODD) == 0 ? even : odd;
    }

    /**
     * Waits until the thread has left all stays inside a gate that it is in at the moment of the call.
     *
     * @return {@code false} if it gave up
     */
    final boolean awaitPassed(Gate gate, long deadlineNanos, BooleanSupplier giveUp) {
        long stay = sequence;
        if ((stay & INSIDE) != 0 && gate(stay).isWithin(gate) && !awaitChange(null, stay, deadlineNanos, giveUp)) {
            return false;
        }
        for (Place place : places) {
            long nestedStay = place.sequence;
            if ((nestedStay & INSIDE) != 0
                    && place.gate.isWithin(gate)
                    && !awaitChange(place, nestedStay, deadlineNanos, giveUp)) {
                return false;
            }
        }
        return true;
    }

    private boolean awaitChange(Place place, long stay, long deadlineNanos, BooleanSupplier giveUp) {
        boolean interrupted = false;
        try {
            for (int turn = 0; (place == null ? sequence : place.sequence) == stay; turn++) {
                if (hasEnded()) {
                    return true;
                }
                if (turn < SPINS) {
                    Thread.onSpinWait();
                    continue;
                }
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0 || giveUp.getAsBoolean()) {
                    return false;
                }
                LockSupport.parkNanos(this, Math.min(left, Math.min(LONGEST_PARK_NANOS, 1_000L * (turn - SPINS + 1))));
                interrupted |= Thread.interrupted();
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether the thread has ended, so that it is inside of nothing whatever is written here. */
    final boolean hasEnded() {
        Thread thread = get();
        return thread == null || !thread.isAlive();
    }
}
