package org.verbena.rdma.provider.loopback;

import java.net.Inet4Address;
import java.net.InetAddress;

/** The addresses of loopback networks, which no operating system has. Stateless. */
public final class AddressRange {
    private static final int BENCHMARKING_FIRST = 198;
    private static final int BENCHMARKING_SECOND = 18;
    private static final byte[] DISCARD_ONLY = {1, 0, 0, 0, 0, 0, 0, 0};
    private static final int BYTE_MASK = 0xFF;

    private AddressRange() {}

    /**
     * Tells whether an address is in 100::/64, which is for discarding (RFC 6666), or in 198.18.0.0/15, which is for
     * measurements in laboratories (RFC 2544).
     *
     * @param address an address
     * @return {@code true} if so
     */
    public static boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (address instanceof Inet4Address) {
            return (bytes[0] & BYTE_MASK) == BENCHMARKING_FIRST && (bytes[1] & BYTE_MASK & ~1) == BENCHMARKING_SECOND;
        }
        for (int index = 0; index < DISCARD_ONLY.length; index++) {
            if (bytes[index] != DISCARD_ONLY[index]) {
                return false;
            }
        }
        return true;
    }
}
