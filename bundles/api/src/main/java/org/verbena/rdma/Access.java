package org.verbena.rdma;

/** What may be done to a memory region. Reading it locally is always allowed. */
public enum Access {
    /** The device may write into it for receives and as the sink of reads. */
    LOCAL_WRITE,
    /** The peer may write into it. Needs {@link #LOCAL_WRITE}. */
    REMOTE_WRITE,
    /** The peer may read it. */
    REMOTE_READ,
    /** The peer may use atomics on it. Needs {@link #LOCAL_WRITE}. */
    REMOTE_ATOMIC
}
