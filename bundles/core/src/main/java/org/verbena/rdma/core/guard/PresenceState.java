package org.verbena.rdma.core.guard;

/** What a thread writes when it goes in and out; see {@link Presence}. */
abstract class PresenceState extends PresencePadding {
    /** Bit 0: the thread is inside. Bit 1: of {@link #odd} rather than {@link #even}. The rest counts its stays. */
    volatile long sequence;

    /** A gate that the thread was inside of last or last but one. */
    volatile Gate even;

    /** The other one. */
    volatile Gate odd;

    /** How many more gates the thread is inside of. Read and written by the thread itself only. */
    int nested;

    /** Where it is inside of these, and was at other times; replaced by a longer array, never changed. */
    volatile Place[] places = {};

    PresenceState(Thread thread) {
        super(thread);
    }
}
