package org.verbena.rdma.provider.loopback.verbs;

/** What a peer wants of a region. */
enum RemoteAccess {
    WRITE,
    READ,
    ATOMIC
}
