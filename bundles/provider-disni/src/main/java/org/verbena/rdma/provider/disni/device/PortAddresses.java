package org.verbena.rdma.provider.disni.device;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.disni.VerbsNatives;

/** The addresses of a device: those of the network interfaces behind its ports. */
final class PortAddresses {
    private static final Logger LOG = LoggerFactory.getLogger(PortAddresses.class);

    private final VerbsNatives natives;
    private final String device;
    private final int ports;

    PortAddresses(VerbsNatives natives, String device, int ports) {
        this.natives = natives;
        this.device = device;
        this.ports = ports;
    }

    List<InetAddress> read() {
        List<InetAddress> addresses = new ArrayList<>();
        for (int port = 1; port <= ports; port++) {
            NetworkInterface network = network(port);
            if (network != null) {
                for (InterfaceAddress address : network.getInterfaceAddresses()) {
                    addresses.add(withoutNeedlessScope(address.getAddress()));
                }
            }
        }
        return addresses;
    }

    /** Returns how much a packet of the network behind the first port carries, 0 if there is none. */
    int mtu() {
        try {
            NetworkInterface network = network(1);
            return network == null ? 0 : network.getMTU();
        } catch (SocketException gone) {
            return 0;
        }
    }

    private NetworkInterface network(int port) {
        String name = natives.networkInterface(device, port);
        if (name == null) {
            return null;
        }
        try {
            return NetworkInterface.getByName(name);
        } catch (SocketException gone) {
            LOG.debug("interface {} of device {} cannot be read", name, device, gone);
            return null;
        }
    }

    /** The JDK gives each address of an interface a scope, but only link-local ones have one. */
    private static InetAddress withoutNeedlessScope(InetAddress address) {
        if (address instanceof Inet6Address scoped && scoped.getScopeId() != 0 && !scoped.isLinkLocalAddress()) {
            try {
                return InetAddress.getByAddress(scoped.getAddress());
            } catch (UnknownHostException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        return address;
    }
}
