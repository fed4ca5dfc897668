package org.verbena.rdma.provider.iwarp.device;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;

/**
 * How much the operating system buffers for a connection ({@code SO_SNDBUF}, {@code SO_RCVBUF}).
 *
 * @param send bytes that wait to be sent, 0 to leave it to the operating system
 * @param receive bytes that wait to be read, 0 to leave it to the operating system
 */
public record SocketBuffers(int send, int receive) {
    /** Sets them; those of a listening socket are for the connections that it accepts. */
    void applyTo(NetworkChannel channel) throws IOException {
        if (send > 0 && channel.supportedOptions().contains(StandardSocketOptions.SO_SNDBUF)) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, send);
        }
        if (receive > 0) {
            // Before the connection is there: TCP tells the peer then how far its window may grow.
            channel.setOption(StandardSocketOptions.SO_RCVBUF, receive);
        }
    }
}
