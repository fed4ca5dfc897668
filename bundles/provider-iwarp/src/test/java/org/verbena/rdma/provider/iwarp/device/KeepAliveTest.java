package org.verbena.rdma.provider.iwarp.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
    @Test
    @DisplayName("zero leaves the socket as it is")
    void never() throws Exception {
        try (SocketChannel channel = SocketChannel.open()) {
            new KeepAlive(Duration.ZERO).applyTo(channel);

            assertThat(channel.getOption(StandardSocketOptions.SO_KEEPALIVE)).isFalse();
        }
    }

    @Test
    @DisplayName("TCP asks after the time that is set, three times")
    void asks() throws Exception {
        try (SocketChannel channel = SocketChannel.open()) {
            new KeepAlive(Duration.ofSeconds(30)).applyTo(channel);

            assertThat(channel.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
            Map<String, Object> options = new HashMap<>();
            for (SocketOption<?> option : channel.supportedOptions()) {
                options.put(option.name(), channel.getOption(option));
            }
            if (options.containsKey("TCP_KEEPIDLE")) {
                assertThat(options)
                        .containsEntry("TCP_KEEPIDLE", 30)
                        .containsEntry("TCP_KEEPINTERVAL", 10)
                        .containsEntry("TCP_KEEPCOUNT", 3);
            }
        }
    }
}
