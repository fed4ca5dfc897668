package org.verbena.rdma.core.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One thread's stay inside one gate while it is inside another already. Written by that thread, read by those that shut
 * gates. The sequence number is odd while the thread is inside, and never the same for two stays; the gate is what it was
 * when the number became odd.
 */
final class Place {
    private static final VarHandle GATE;
    private static final VarHandle SEQUENCE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            GATE = lookup.findVarHandle(Place.class, "gate", Gate.class);
            SEQUENCE = lookup.findVarHandle(Place.class, "sequence", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile Gate gate;
    private volatile long sequence;

    /** Says that the thread is inside. The fence is the caller's. */
    void occupy(Gate entered) {
        GATE.setOpaque(this, entered);
        SEQUENCE.setRelease(this, (sequence + 1) | 1);
    }

    void leave() {
        sequence = (sequence + 1) & ~1;
    }

    long sequence() {
        return sequence;
    }

    /** The gate, unless the sequence number has changed meanwhile. */
    Gate gate() {
        return gate;
    }
}
