package org.verbena.rdma.provider.iwarp.device;

import java.net.InetAddress;
import java.util.List;
import org.verbena.rdma.LinkState;

/**
 * What a device's interface is like at a time.
 *
 * @param addresses the addresses, link-local ones with their scope
 * @param link whether it carries traffic
 * @param mtu its MTU, 0 where unknown
 */
public record InterfaceState(List<InetAddress> addresses, LinkState link, int mtu) {
    public InterfaceState {
        addresses = List.copyOf(addresses);
    }
}
