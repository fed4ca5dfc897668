package org.verbena.rdma.rping.sentences;

import java.net.InetSocketAddress;

/** Addresses as people read them. */
public final class Addresses {
    private Addresses() {}

    /** An address and a port, such as {@code 127.0.0.1 port 7174}. */
    public static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + " port " + address.getPort();
    }
}
