package org.verbena.rdma;

/**
 * The error codes of the field: the POSIX numbers that librdmacm and libibverbs report.
 *
 * <p>Numbers are those of Linux, so that a code seen here can be looked up in {@code rdma_cm(7)} and {@code errno(3)}.
 */
public enum RdmaError {
    /** No error. */
    SUCCESS(0, "success"),
    /** The caller lacks a privilege (EPERM). */
    NOT_PERMITTED(1, "operation not permitted"),
    /** The named thing does not exist (ENOENT). */
    NOT_FOUND(2, "no such object"),
    /** The call was cancelled before it could finish (EINTR). */
    CANCELLED(4, "cancelled"),
    /** Input or output failed below the provider (EIO). */
    INPUT_OUTPUT(5, "input/output error"),
    /** A queue has no room for the request now (EAGAIN). */
    TRY_AGAIN(11, "try again later"),
    /** A resource limit of the device or the machine is reached (ENOMEM). */
    NO_MEMORY(12, "out of resources"),
    /** The address may not be used by the caller (EACCES). */
    ACCESS_DENIED(13, "permission denied"),
    /** Memory is not registered, or not with the rights that the request needs (EFAULT). */
    BAD_ADDRESS(14, "bad address"),
    /** The object is in use by another (EBUSY). */
    BUSY(16, "in use"),
    /** No such device, or it is going or gone (ENODEV). */
    NO_DEVICE(19, "no such device"),
    /** An argument is outside of what the call or the device accepts (EINVAL). */
    INVALID_ARGUMENT(22, "invalid argument"),
    /** The peer violated the wire protocol (EPROTO). */
    PROTOCOL(71, "protocol error"),
    /** A message or a list is larger than the device takes (EMSGSIZE). */
    TOO_LARGE(90, "too large"),
    /** The device or the transport does not offer the operation (EOPNOTSUPP). */
    NOT_SUPPORTED(95, "operation not supported"),
    /** The local address and port are taken by another (EADDRINUSE). */
    ADDRESS_IN_USE(98, "address in use"),
    /** The local address does not exist or is covered by a wildcard of another (EADDRNOTAVAIL). */
    ADDRESS_NOT_AVAILABLE(99, "address not available"),
    /** No device or no route leads to the destination (ENETUNREACH). */
    NETWORK_UNREACHABLE(101, "network unreachable"),
    /** The connection was given up on the local side (ECONNABORTED). */
    CONNECTION_ABORTED(103, "connection aborted"),
    /** The peer ended the connection, or closed it during the handshake (ECONNRESET). */
    CONNECTION_RESET(104, "connection reset by peer"),
    /** The call needs a connection and there is none (ENOTCONN). */
    NOT_CONNECTED(107, "not connected"),
    /** No answer came in time (ETIMEDOUT). */
    TIMED_OUT(110, "timed out"),
    /** Nobody listens there, or the listener refused (ECONNREFUSED). */
    CONNECTION_REFUSED(111, "connection refused"),
    /** The host cannot be reached (EHOSTUNREACH). */
    HOST_UNREACHABLE(113, "host unreachable");

    private final int errno;
    private final String sentence;

    RdmaError(int errno, String sentence) {
        this.errno = errno;
        this.sentence = sentence;
    }

    /**
     * Returns the Linux number of this error.
     *
     * @return the number, not negative; 0 for {@link #SUCCESS}
     */
    public int errno() {
        return errno;
    }

    /**
     * Returns a few words for people.
     *
     * @return lower case, without a full stop
     */
    public String sentence() {
        return sentence;
    }
}
