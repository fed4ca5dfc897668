package org.verbena.rdma.provider.disni.connection;

/** Events of librdmacm, in the order of their numbers (rdma_get_cm_event(3)). */
enum EventType {
    ADDRESS_RESOLVED,
    ADDRESS_ERROR,
    ROUTE_RESOLVED,
    ROUTE_ERROR,
    CONNECT_REQUEST,
    CONNECT_RESPONSE,
    CONNECT_ERROR,
    UNREACHABLE,
    REJECTED,
    ESTABLISHED,
    DISCONNECTED,
    DEVICE_REMOVAL,
    MULTICAST_JOIN,
    MULTICAST_ERROR,
    ADDRESS_CHANGE,
    TIMEWAIT_EXIT,
    /** Newer than what is named here. */
    OTHER;

    private static final EventType[] TYPES = values();

    static EventType of(int number) {
        return number >= 0 && number < OTHER.ordinal() ? TYPES[number] : OTHER;
    }
}
