package org.verbena.rdma.provider.iwarp.device;

import java.io.IOException;
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

    /** Returns SUCCESS if routing knows a way from one address to another, else why not. */
    static RdmaError find(InetAddress source, InetAddress destination) {
        if (source.getAddress().length != destination.getAddress().length) {
            return RdmaError.NETWORK_UNREACHABLE;
        }
        boolean ipv4 = source.getAddress().length == 4;
        try (DatagramChannel channel =
                DatagramChannel.open(ipv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6)) {
            channel.bind(new InetSocketAddress(source, 0));
            channel.connect(new InetSocketAddress(destination, DISCARD_PORT));
            return RdmaError.SUCCESS;
        } catch (NoRouteToHostException e) {
            return RdmaError.HOST_UNREACHABLE;
        } catch (IOException e) {
            return RdmaError.NETWORK_UNREACHABLE;
        }
    }
}
