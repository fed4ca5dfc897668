package org.verbena.rdma;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * What a device is and how much it takes; constant while the device lives.
 *
 * <p>Implemented by providers, usually as a record. New attributes come as default methods, so that a provider built
 * against an older version stays valid. All methods may be called on any thread and never block.
 */
@ConsumerType
public interface DeviceAttributes {
    /**
     * Returns the name of the provider, such as {@code iwarp}.
     *
     * @return a short word, the same for all devices of a provider
     */
    String provider();

    /**
     * Returns how the device talks to its peers.
     *
     * @return the transport
     */
    Transport transport();

    /**
     * Returns the EUI-64 of the device.
     *
     * @return 64 bits, 0 where the device has none
     */
    default long guid() {
        return 0;
    }

    /**
     * Returns the greatest number of queue pairs.
     *
     * @return at least 1
     */
    default int maxQueuePairs() {
        return 65_536;
    }

    /**
     * Returns the greatest number of outstanding work requests on one queue.
     *
     * @return at least 1
     */
    default int maxWorkRequests() {
        return 16_384;
    }

    /**
     * Returns the greatest number of scatter-gather segments of one work request.
     *
     * @return at least 1
     */
    default int maxSegments() {
        return 16;
    }

    /**
     * Returns the greatest number of entries of one completion queue.
     *
     * @return at least 1
     */
    default int maxCompletionQueueEntries() {
        return 1 << 20;
    }

    /**
     * Returns the greatest length of one message.
     *
     * @return bytes
     */
    default long maxMessageSize() {
        return 0xFFFF_FFFFL;
    }

    /**
     * Returns the greatest length of one memory region.
     *
     * @return bytes
     */
    default long maxRegionSize() {
        return Long.MAX_VALUE;
    }

    /**
     * Returns the greatest length of inline data.
     *
     * @return bytes, 0 where the device has no inline data
     */
    default int maxInlineData() {
        return 0;
    }

    /**
     * Returns how many RDMA reads and atomics of a peer the device serves at a time on one queue pair.
     *
     * @return 0 to 254
     */
    default int maxResponderResources() {
        return 16;
    }

    /**
     * Returns how many RDMA reads and atomics the device starts at a time on one queue pair.
     *
     * @return 0 to 254
     */
    default int maxInitiatorDepth() {
        return 16;
    }

    /**
     * Returns the greatest length of the private data that a message of connection management carries.
     *
     * @param message the message
     * @return bytes, 0 where the message carries none
     */
    int maxPrivateData(PrivateDataCarrier message);

    /**
     * Tells whether the receiver sees private data padded with zeros to the full size of the field (InfiniBand), rather
     * than with the length that the peer sent.
     *
     * @return {@code true} where the length is lost
     */
    default boolean padsPrivateData() {
        return false;
    }

    /**
     * Tells whether a connecting endpoint gets its source port from the transport itself (TCP) when it is not bound.
     *
     * @return {@code false} where ports exist in connection management only
     */
    default boolean assignsSourcePorts() {
        return false;
    }

    /**
     * Tells whether a capability is offered.
     *
     * @param capability the capability
     * @return {@code true} if the device offers it, to peers that do so too
     */
    default boolean supports(DeviceCapability capability) {
        return false;
    }
}
