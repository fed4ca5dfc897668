package org.verbena.rdma.provider.iwarp.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.iwarp.peer.Events;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;
import org.verbena.rdma.provider.iwarp.peer.TestDevice;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.ProviderListener;

class SocketOptionsTest {
    private static final int TYPE_OF_SERVICE = 0x48;

    @Test
    @DisplayName("the options of TCP reach the sockets of both ends, the type of service that of who sets it")
    void options() throws Exception {
        try (TestDevice device = new TestDevice(Settings.DEFAULTS)) {
            ProviderListener listener = device.listen("127.0.0.1", 0);
            Events events = new Events();
            Endpoint endpoint = device.device()
                    .resolve(
                            PortSpace.TCP,
                            new InetSocketAddress("127.0.0.1", 0),
                            listener.localAddress(),
                            Duration.ofSeconds(2),
                            new EndpointOptions(TYPE_OF_SERVICE, -1, false),
                            events);
            events.next("addressResolved");
            try (Side client = new Side(device, endpoint, events, Side.Sizes.DEFAULTS)) {
                endpoint.connect(TestDevice.parameters("hello"));
                TestDevice.Asked asked = device.nextRequest();
                try (Side server = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS)) {
                    server.endpoint().accept(asked.parameters());
                    events.next("established");

                    for (Side side : new Side[] {client, server}) {
                        assertThat(option(side, StandardSocketOptions.TCP_NODELAY))
                                .isTrue();
                        assertThat(option(side, StandardSocketOptions.SO_KEEPALIVE))
                                .isTrue();
                        // Linux takes twice as much, for what it keeps besides.
                        assertThat(option(side, StandardSocketOptions.SO_SNDBUF))
                                .isIn(300_000, 600_000);
                        assertThat(option(side, StandardSocketOptions.SO_RCVBUF))
                                .isIn(200_000, 400_000);
                    }
                    assertThat(option(client, StandardSocketOptions.IP_TOS)).isEqualTo(TYPE_OF_SERVICE);
                    assertThat(option(server, StandardSocketOptions.IP_TOS)).isZero();
                }
            }
            listener.close();
        }
    }

    private static <T> T option(Side side, SocketOption<T> option) throws Exception {
        SocketChannel channel = ((IwarpEndpoint) side.endpoint()).channel();
        return channel.getOption(option);
    }

    @Test
    @DisplayName("buffers of zero are those of the operating system")
    void untouched() throws Exception {
        try (SocketChannel channel = SocketChannel.open();
                SocketChannel other = SocketChannel.open()) {
            new SocketBuffers(0, 0).applyTo(channel);

            assertThat(channel.getOption(StandardSocketOptions.SO_SNDBUF))
                    .isEqualTo(other.getOption(StandardSocketOptions.SO_SNDBUF));
            assertThat(channel.getOption(StandardSocketOptions.SO_RCVBUF))
                    .isEqualTo(other.getOption(StandardSocketOptions.SO_RCVBUF));
        }
    }
}
