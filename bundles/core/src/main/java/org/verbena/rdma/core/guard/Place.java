package org.verbena.rdma.core.guard;

/**
 * One thread's stay inside one gate while it is inside another already. Written by that thread, read by those that shut
 * gates. Both fields are volatile, and written without a call: a thread that has run out of stack can still leave.
 */
final class Place {
    /** The gate; what it was when the number became odd. */
    volatile Gate gate;

    /** Odd while the thread is inside, and never the same for two stays. */
    volatile long sequence;
}
