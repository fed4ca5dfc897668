package org.verbena.rdma;

/** What not every device offers. */
public enum DeviceCapability {
    /** Send with invalidate. */
    SEND_WITH_INVALIDATE,
    /** Immediate data with a write, or with a send of nothing else. */
    IMMEDIATE_DATA,
    /** Immediate data also with a send that has bytes; iWARP cannot do that (RFC 7306, section 6.3). */
    SEND_WITH_IMMEDIATE_DATA,
    /** Compare-and-swap and fetch-and-add on 64 bits. */
    ATOMICS,
    /** Shared receive queues. */
    SHARED_RECEIVE_QUEUE,
    /** Unreliable datagrams. */
    DATAGRAM,
    /** A send that finds no posted receive is tried again instead of ending the connection. */
    RECEIVER_NOT_READY_RETRY,
    /** A time-wait event follows a disconnect. */
    TIMEWAIT
}
