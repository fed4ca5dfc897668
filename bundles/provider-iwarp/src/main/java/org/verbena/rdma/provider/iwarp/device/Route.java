package org.verbena.rdma.provider.iwarp.device;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import org.verbena.rdma.RdmaError;

/** Asks the routing of the operating system, without sending anything. */
final class Route {
    /** Any port will do; nothing is sent to it. */
    private static final int DISCARD_PORT = 9;

    private Route() {}

    /** An address as people write it. */
    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    /** Returns SUCCESS if routing knows a way from one address to another, else why not. */
    static RdmaError find(InetAddress source, InetAddress destination) {
        if (source.getAddress().length != destination.getAddress().length) {
            return RdmaError.NETWORK_UNREACHABLE;
        }
        try (DatagramChannel channel = DatagramChannel.open(family(source))) {
            channel.bind(new InetSocketAddress(source, 0));
            channel.connect(new InetSocketAddress(destination, DISCARD_PORT));
            return RdmaError.SUCCESS;
        } catch (NoRouteToHostException e) {
            return RdmaError.HOST_UNREACHABLE;
        } catch (IOException e) {
            return RdmaError.NETWORK_UNREACHABLE;
        }
    }

    /** Whether a socket that is not bound gets this source address on its way to a destination. */
    static boolean starts(InetAddress source, InetAddress destination) {
        try (DatagramChannel channel = DatagramChannel.open(family(source))) {
            channel.connect(new InetSocketAddress(destination, DISCARD_PORT));
            InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
            return local.getAddress().equals(source);
        } catch (IOException e) {
            return false;
        }
    }

    static StandardProtocolFamily family(InetAddress address) {
        return address instanceof Inet6Address ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
    }
}
