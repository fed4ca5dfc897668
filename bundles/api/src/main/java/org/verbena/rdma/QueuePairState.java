package org.verbena.rdma;

/** The state of a queue pair as the consumer needs to know it (InfiniBand Architecture 10.3; RFC 5040, section 6). */
public enum QueuePairState {
    /** Made, not connected: receives may be posted, sends may not. */
    INITIALIZED,
    /** Connected: work is carried out. */
    READY,
    /** Nothing is carried out any more; what is posted is flushed. */
    ERROR,
    /** Closed, or its device is gone. */
    CLOSED
}
