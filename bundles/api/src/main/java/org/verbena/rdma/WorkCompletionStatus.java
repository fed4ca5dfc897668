package org.verbena.rdma;

/** How a work request ended (InfiniBand Architecture 11.6.2; {@code ibv_poll_cq(3)}). */
public enum WorkCompletionStatus {
    /** It did what was asked. */
    SUCCESS,
    /** A received message was longer than the receive, or a sent one longer than the device takes. */
    LOCAL_LENGTH_ERROR,
    /** The queue pair could not carry out the request. */
    LOCAL_QUEUE_PAIR_OPERATION_ERROR,
    /** A local segment is not registered, or not in the domain of the queue pair, or without the right. */
    LOCAL_PROTECTION_ERROR,
    /** The queue pair went to error, or its device was removed, before the request was done. */
    FLUSHED,
    /** The peer answered with something that was not asked for. */
    BAD_RESPONSE,
    /** A peer's message could not be placed locally. */
    LOCAL_ACCESS_ERROR,
    /** The peer could not make sense of the request. */
    REMOTE_INVALID_REQUEST,
    /** The peer does not allow the access to its memory. */
    REMOTE_ACCESS_ERROR,
    /** The peer failed to carry out the request. */
    REMOTE_OPERATION_ERROR,
    /** The peer did not answer. */
    RETRY_EXCEEDED,
    /** The peer had no receive posted, for too long. */
    RECEIVER_NOT_READY_RETRY_EXCEEDED,
    /** The peer gave up. */
    REMOTE_ABORTED,
    /** The device failed. */
    FATAL,
    /** Something else; see the vendor error. */
    GENERAL
}
