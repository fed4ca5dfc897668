package org.verbena.rdma.provider.loopback.connection;

import java.net.InetAddress;

/** The addresses of a network. */
public interface Neighbours {
    /**
     * Tells whether an address belongs to the network, whether a device has it now or not.
     *
     * @param address an address
     * @return {@code true} if it does
     */
    boolean covers(InetAddress address);

    /**
     * Tells whether a device answers at an address now.
     *
     * @param address an address
     * @return {@code true} if a device that has its link has it
     */
    boolean answers(InetAddress address);
}
