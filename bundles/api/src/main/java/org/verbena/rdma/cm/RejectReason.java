package org.verbena.rdma.cm;

/** Why a connection was refused. */
public enum RejectReason {
    /** The peer's consumer has called {@code reject} (IB reason 28, MPA reject bit). */
    CONSUMER,
    /** Nobody listens there (IB reason 8, TCP reset). */
    NO_LISTENER,
    /** The peer's machine has no room: its backlog or another resource is used up (IB reason 1 to 3). */
    NO_RESOURCES,
    /** The peer has given up waiting (IB reason 4). */
    TIMEOUT,
    /** The parameters do not fit the peer (RFC 6581, section 9: insufficient IRD, no matching RTR). */
    PARAMETERS,
    /** The peer does not say. */
    UNKNOWN
}
