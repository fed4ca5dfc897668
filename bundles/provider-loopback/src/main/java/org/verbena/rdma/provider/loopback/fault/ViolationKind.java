package org.verbena.rdma.provider.loopback.fault;

/** The ways in which the caller of a provider can break the rules. */
public enum ViolationKind {
    /** A call on an object that was closed. */
    CALL_AFTER_CLOSE,
    /** A call while the object was being closed, or a close while another call was inside. */
    CALL_DURING_CLOSE,
    /** A second close. */
    CLOSED_TWICE,
    /** A close of something that others are still made of; they are named. */
    CLOSED_BEFORE_CHILD,
    /** An open of a device that is open. */
    OPENED_TWICE,
    /** A call that makes something on a device that is not open. */
    NOT_OPEN,
    /** Two calls at a time on an endpoint. */
    CONCURRENT_CALLS,
    /** A second queue pair on an endpoint. */
    SECOND_QUEUE_PAIR,
    /** A work request that names a closed region, or a queue pair made of a closed object. */
    CLOSED_OBJECT_USED,
    /** A request that came after the close of its listener, and was taken all the same. */
    LATE_REQUEST_TAKEN
}
