package org.verbena.rdma.core.address;

import java.net.InetAddress;

/** Says from which local address the machine would talk to a destination. */
@FunctionalInterface
public interface SourceAddressLookup {
    /**
     * Looks the address up, without sending anything and without blocking.
     *
     * @param destination where to
     * @return the local address, or {@code null} if nothing leads there
     */
    InetAddress sourceFor(InetAddress destination);
}
