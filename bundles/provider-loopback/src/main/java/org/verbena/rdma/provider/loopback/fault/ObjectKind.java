package org.verbena.rdma.provider.loopback.fault;

/** The objects that are opened or made and have to be closed. */
public enum ObjectKind {
    /** A period of use of a device. */
    DEVICE,
    /** A protection domain. */
    PROTECTION_DOMAIN,
    /** A memory region. */
    MEMORY_REGION,
    /** A shared receive queue. */
    SHARED_RECEIVE_QUEUE,
    /** A completion queue. */
    COMPLETION_QUEUE,
    /** A queue pair. */
    QUEUE_PAIR,
    /** A listener. */
    LISTENER,
    /** An endpoint. */
    ENDPOINT,
    /** A path query. */
    PATH_QUERY
}
