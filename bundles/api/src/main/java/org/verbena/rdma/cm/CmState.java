package org.verbena.rdma.cm;

/**
 * Where an id stands; the same on every transport. That an id is being destroyed, or its device removed, is not a state:
 * it stands beside the state and never replaces it.
 */
public enum CmState {
    /** Made, nothing done yet. */
    IDLE,
    /** The destination is being resolved. */
    ADDR_QUERY,
    /** Bound to a device that leads to the destination. */
    ADDR_RESOLVED,
    /** The route is being resolved. */
    ROUTE_QUERY,
    /** Ready to connect. */
    ROUTE_RESOLVED,
    /** Connecting, or asked to connect, or connected. */
    CONNECT,
    /** The connection has ended. */
    DISCONNECT,
    /** Bound to a local address. */
    ADDR_BOUND,
    /** Listening. */
    LISTEN
}
