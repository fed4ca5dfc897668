package org.verbena.rdma;

/** The service that a queue pair gives. */
public enum QueuePairType {
    /** Reliable, in order, connected to one peer. */
    RELIABLE_CONNECTED,
    /** Datagrams to many peers that may get lost. */
    UNRELIABLE_DATAGRAM
}
