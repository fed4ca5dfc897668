package org.verbena.rdma.cm;

/** What an event tells ({@code rdma_get_cm_event(3)}). */
public enum CmEventType {
    /** {@code resolveAddress} has succeeded: the id is bound to a device. */
    ADDR_RESOLVED(1, 0),
    /** {@code resolveAddress} has failed. */
    ADDR_ERROR(1, 0),
    /** {@code resolveRoute} has succeeded. */
    ROUTE_RESOLVED(1, 0),
    /** {@code resolveRoute} has failed. */
    ROUTE_ERROR(1, 0),
    /** A peer asks for a connection: {@link CmEvent#id()} is a new id, to be accepted, rejected or destroyed. */
    CONNECT_REQUEST(1, 0),
    /** The peer has accepted, and the id has no queue pair yet: make one, then call {@code establish}. */
    CONNECT_RESPONSE(1, 0),
    /** The connection could not be set up for a local reason, or the handshake was broken off. */
    CONNECT_ERROR(1, 0),
    /** The peer does not answer. */
    UNREACHABLE(1, 0),
    /** The peer, or its machine, has refused. */
    REJECTED(1, 0),
    /** The connection carries data. */
    ESTABLISHED(1, 0),
    /** The connection has ended. */
    DISCONNECTED(1, 0),
    /** The device of the id is going: let go of the id. Nothing comes after it. */
    DEVICE_REMOVAL(1, 0),
    /** A multicast group was joined. */
    MULTICAST_JOIN(1, 0),
    /** Joining a multicast group has failed, or the membership is lost. */
    MULTICAST_ERROR(1, 0),
    /**
     * The network behind the id's address has changed to other hardware, such as when a bond fails over. Connection or
     * listener lives on; may be ignored. A listener on one address is told, and each of its connections besides. A listener
     * on a wildcard is not told, as in the Linux kernel: it is bound to no device, and the event could not say which of its
     * addresses has changed.
     */
    ADDR_CHANGE(1, 1),
    /** The queue pair has left the time-wait state (InfiniBand). */
    TIMEWAIT_EXIT(1, 0);

    private final int sinceMajor;
    private final int sinceMinor;

    CmEventType(int sinceMajor, int sinceMinor) {
        this.sinceMajor = sinceMajor;
        this.sinceMinor = sinceMinor;
    }

    /**
     * Tells whether a consumer built against a version of this package knows the event.
     *
     * @param major the major version that the consumer was built against
     * @param minor the minor version that the consumer was built against
     * @return {@code true} if the event was there in that version
     */
    public boolean knownTo(int major, int minor) {
        return major > sinceMajor || major == sinceMajor && minor >= sinceMinor;
    }
}
