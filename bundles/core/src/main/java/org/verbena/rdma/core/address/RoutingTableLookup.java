package org.verbena.rdma.core.address;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;

/**
 * Asks the routing of the operating system: connecting a datagram socket sends nothing, but makes the kernel choose the
 * local address.
 */
public final class RoutingTableLookup implements SourceAddressLookup {
    /** Any port will do; nothing is sent to it. */
    private static final int DISCARD = 9;

    /** Makes a lookup. */
    public RoutingTableLookup() {}

    @Override
    public InetAddress sourceFor(InetAddress destination) {
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.connect(new InetSocketAddress(destination, DISCARD));
            InetAddress source = ((InetSocketAddress) probe.getLocalAddress()).getAddress();
            return source.isAnyLocalAddress() ? null : source;
        } catch (IOException | UncheckedIOException | IllegalArgumentException noRoute) {
            return null;
        }
    }
}
