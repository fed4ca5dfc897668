package org.verbena.rdma.provider.iwarp.device;

import java.net.Inet6Address;
import java.net.InetAddress;

/** How long a frame may be so that it fills a TCP segment: what TCP's MSS would be (RFC 5044, section 4.3, EMSS). */
final class SegmentSize {
    private static final int LOOPBACK_MTU = 65_536;
    private static final int DEFAULT_MTU = 1_500;

    /** A frame's length field ends the matter for greater MTUs. */
    private static final int MAX = 65_496;

    private static final int MIN = 512;
    private static final int IPV4_AND_TCP = 40;
    private static final int IPV6_AND_TCP = 60;
    private static final int TIMESTAMPS = 12;

    private SegmentSize() {}

    static int of(InetAddress local, InetAddress peer, int mtu) {
        // Traffic from a machine to itself takes the loopback interface, whatever the address.
        int actual = local.equals(peer) || peer.isLoopbackAddress() ? LOOPBACK_MTU : mtu > 0 ? mtu : DEFAULT_MTU;
        int headers = (local instanceof Inet6Address ? IPV6_AND_TCP : IPV4_AND_TCP) + TIMESTAMPS;
        return Math.max(MIN, Math.min(MAX, actual - headers));
    }
}
