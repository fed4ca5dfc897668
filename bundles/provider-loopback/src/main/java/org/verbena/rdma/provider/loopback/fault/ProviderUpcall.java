package org.verbena.rdma.provider.loopback.fault;

/** The upcalls that a provider makes. */
public enum ProviderUpcall {
    /** {@code DeviceUpcalls.addressesChanged}. */
    ADDRESSES_CHANGED,
    /** {@code DeviceUpcalls.linkChanged}. */
    LINK_CHANGED,
    /** {@code DeviceUpcalls.gone}. */
    GONE,
    /** {@code CompletionUpcalls.completionEvent}. */
    COMPLETION_EVENT,
    /** {@code ListenerUpcalls.request}. It cannot be made twice. */
    REQUEST,
    /** {@code ListenerUpcalls.addressChanged}. */
    LISTENER_ADDRESS_CHANGED,
    /** {@code PathUpcalls.found}. */
    PATH_FOUND,
    /** {@code PathUpcalls.failed}. */
    PATH_FAILED,
    /** {@code EndpointUpcalls.addressResolved}. */
    ADDRESS_RESOLVED,
    /** {@code EndpointUpcalls.addressError}. */
    ADDRESS_ERROR,
    /** {@code EndpointUpcalls.routeResolved}. */
    ROUTE_RESOLVED,
    /** {@code EndpointUpcalls.routeError}. */
    ROUTE_ERROR,
    /** {@code EndpointUpcalls.connectResponse}. */
    CONNECT_RESPONSE,
    /** {@code EndpointUpcalls.established}. */
    ESTABLISHED,
    /** {@code EndpointUpcalls.connectError}. */
    CONNECT_ERROR,
    /** {@code EndpointUpcalls.unreachable}. */
    UNREACHABLE,
    /** {@code EndpointUpcalls.rejected}. */
    REJECTED,
    /** {@code EndpointUpcalls.disconnected}. */
    DISCONNECTED,
    /** {@code EndpointUpcalls.addressChanged}. */
    ADDRESS_CHANGED,
    /** {@code EndpointUpcalls.timewaitExit}. */
    TIMEWAIT_EXIT
}
