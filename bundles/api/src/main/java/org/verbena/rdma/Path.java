package org.verbena.rdma;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;

/**
 * A path between two addresses (InfiniBand path record; on IP transports what routing knows).
 *
 * @param source the local address
 * @param destination the address of the peer
 * @param mtu the greatest payload of one packet, in bytes
 * @param serviceLevel 0 to 15; 0 on IP transports
 * @param trafficClass 0 to 255
 * @param hopLimit 0 to 255
 * @param packetLifetime how long a packet may live, or zero where unknown
 */
public record Path(
        InetAddress source,
        InetAddress destination,
        int mtu,
        int serviceLevel,
        int trafficClass,
        int hopLimit,
        Duration packetLifetime) {
    /**
     * Checks the components for {@code null}.
     *
     * @param source the local address
     * @param destination the address of the peer
     * @param mtu the greatest payload of one packet, in bytes
     * @param serviceLevel 0 to 15; 0 on IP transports
     * @param trafficClass 0 to 255
     * @param hopLimit 0 to 255
     * @param packetLifetime how long a packet may live, or zero where unknown
     */
    public Path {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(destination, "destination");
        Objects.requireNonNull(packetLifetime, "packetLifetime");
    }
}
