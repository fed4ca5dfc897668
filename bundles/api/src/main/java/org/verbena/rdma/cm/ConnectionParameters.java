package org.verbena.rdma.cm;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * What two sides tell each other when they connect ({@code rdma_connect(3)}, {@code rdma_accept(3)}).
 *
 * <p>In an event both resource counts are already seen from the receiver and fit to be passed to {@code accept}.
 *
 * @param privateData data for the peer; read-only, its content is copied when the record is made
 * @param responderResources how many reads and atomics of the peer this side serves at a time: 0 to 254,
 *     {@link #MAXIMUM}, or {@link #UNKNOWN}
 * @param initiatorDepth how many reads and atomics this side starts at a time: 0 to 254, {@link #MAXIMUM}, or
 *     {@link #UNKNOWN}
 * @param retryCount how often the transport tries again after no answer, 0 to 7; only used to connect
 * @param receiverNotReadyRetryCount how often the transport tries again when the peer has no receive posted, 0 to 7,
 *     where 7 is without end
 */
public record ConnectionParameters(
        ByteBuffer privateData,
        int responderResources,
        int initiatorDepth,
        int retryCount,
        int receiverNotReadyRetryCount) {
    /** As many as the device can do; on accept no more than the peer asks for. */
    public static final int MAXIMUM = 255;

    /** The wire has not told (MPA revision 1). To {@code accept} and {@code connect} it means {@link #MAXIMUM}. */
    public static final int UNKNOWN = -1;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    /**
     * Checks the ranges and copies the private data.
     *
     * @param privateData data for the peer; read-only, its content is copied when the record is made
     * @param responderResources how many reads and atomics of the peer this side serves at a time: 0 to 254,
     *     {@link #MAXIMUM}, or {@link #UNKNOWN}
     * @param initiatorDepth how many reads and atomics this side starts at a time: 0 to 254, {@link #MAXIMUM}, or
     *     {@link #UNKNOWN}
     * @param retryCount how often the transport tries again after no answer, 0 to 7; only used to connect
     * @param receiverNotReadyRetryCount how often the transport tries again when the peer has no receive posted, 0 to 7,
     *     where 7 is without end
     */
    public ConnectionParameters {
        Objects.requireNonNull(privateData, "privateData");
        checkResources("responderResources", responderResources);
        checkResources("initiatorDepth", initiatorDepth);
        checkRetries("retryCount", retryCount);
        checkRetries("receiverNotReadyRetryCount", receiverNotReadyRetryCount);
        privateData = copy(privateData);
    }

    /**
     * Starts with no private data, the device's maximum of resources, and 7 retries of each kind.
     *
     * @return parameters that suit most
     */
    public static ConnectionParameters defaults() {
        return new ConnectionParameters(NOTHING, MAXIMUM, MAXIMUM, 7, 7);
    }

    /**
     * Changes the private data.
     *
     * @param data what to carry; copied
     * @return a changed copy
     */
    public ConnectionParameters withPrivateData(ByteBuffer data) {
        return new ConnectionParameters(
                data, responderResources, initiatorDepth, retryCount, receiverNotReadyRetryCount);
    }

    /**
     * Changes the resources for reads and atomics.
     *
     * @param responder how many this side serves at a time
     * @param initiator how many this side starts at a time
     * @return a changed copy
     */
    public ConnectionParameters withResources(int responder, int initiator) {
        return new ConnectionParameters(privateData, responder, initiator, retryCount, receiverNotReadyRetryCount);
    }

    /**
     * Changes how often the transport tries again.
     *
     * @param retries after no answer
     * @param receiverNotReadyRetries when the peer has no receive posted
     * @return a changed copy
     */
    public ConnectionParameters withRetries(int retries, int receiverNotReadyRetries) {
        return new ConnectionParameters(
                privateData, responderResources, initiatorDepth, retries, receiverNotReadyRetries);
    }

    /**
     * Returns the private data.
     *
     * @return a read-only buffer of the caller's own, from position 0
     */
    @Override
    public ByteBuffer privateData() {
        return privateData.duplicate();
    }

    private static ByteBuffer copy(ByteBuffer data) {
        if (!data.hasRemaining()) {
            return NOTHING.duplicate();
        }
        ByteBuffer copy = ByteBuffer.allocate(data.remaining());
        copy.put(data.duplicate());
        return copy.flip().asReadOnlyBuffer();
    }

    private static void checkResources(String name, int value) {
        if (value < UNKNOWN || value > MAXIMUM) {
            throw new IllegalArgumentException(name + " must be 0 to 254, MAXIMUM or UNKNOWN, not " + value);
        }
    }

    private static void checkRetries(String name, int value) {
        if (value < 0 || value > 7) {
            throw new IllegalArgumentException(name + " must be 0 to 7, not " + value);
        }
    }
}
