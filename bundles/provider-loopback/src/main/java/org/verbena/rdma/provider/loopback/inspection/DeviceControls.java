package org.verbena.rdma.provider.loopback.inspection;

import java.net.InetAddress;
import java.util.List;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaError;

/** What can be done to a device of a network. */
public interface DeviceControls {
    /** Says that the device is gone. */
    void vanish();

    /** Unregisters the device; returns when that is over. */
    void unplug();

    /** Registers the device again; throws {@link IllegalStateException} if it is registered. */
    void plug();

    /**
     * Changes the addresses.
     *
     * @param addresses the new ones
     */
    void changeAddresses(List<InetAddress> addresses);

    /**
     * Changes the state of the link.
     *
     * @param state the new one
     */
    void changeLink(LinkState state);

    /** Tells the listeners and endpoints that the network has changed. */
    void changeNetwork();

    /**
     * Ends all connections.
     *
     * @param error why
     */
    void breakConnections(RdmaError error);
}
