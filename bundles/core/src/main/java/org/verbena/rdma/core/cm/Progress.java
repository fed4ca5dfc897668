package org.verbena.rdma.core.cm;

/**
 * How far an id has come at its provider, beside the state that the consumer sees: it moves when an upcall is recorded,
 * the state when the event is delivered. What the provider may still say follows from it, so that duplicates and late
 * upcalls are dropped.
 */
enum Progress {
    /** Nothing was asked of a provider. */
    NONE,
    /** The address is asked for. */
    RESOLVING,
    /** The address is known. */
    RESOLVED,
    /** The route is asked for. */
    ROUTING,
    /** The route is known. */
    ROUTED,
    /** A connection is asked for. */
    CONNECTING,
    /** The peer has accepted, and there was no queue pair. */
    RESPONDED,
    /** A peer asks for a connection. */
    REQUESTED,
    /** The request was accepted. */
    ACCEPTING,
    /** The request was refused. */
    REFUSED,
    /** The connection carries data. */
    ESTABLISHED,
    /** No connection came about. */
    FAILED,
    /** The connection has ended. */
    ENDED,
    /** As ENDED, and time-wait is over. */
    OVER
}
