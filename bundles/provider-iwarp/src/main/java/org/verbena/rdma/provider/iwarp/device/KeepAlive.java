package org.verbena.rdma.provider.iwarp.device;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * Lets TCP ask a silent peer whether it is still there, so that one that vanished with its machine is noticed (RFC 9293,
 * section 3.8.4). The options beside the standard one are those of the JDK, where the platform has them; they are taken
 * by their names, so that the bundle needs no package that not every framework exports.
 *
 * @param idle how long a connection is silent before the first question, zero for never
 */
public record KeepAlive(Duration idle) {
    private static final int QUESTIONS = 3;

    void applyTo(SocketChannel channel) throws IOException {
        if (idle.isZero()) {
            return;
        }
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        int seconds = (int) Math.max(1, idle.toSeconds());
        for (SocketOption<?> option : channel.supportedOptions()) {
            switch (option.name()) {
                case "TCP_KEEPIDLE" -> set(channel, option, seconds);
                case "TCP_KEEPINTERVAL" -> set(channel, option, Math.max(1, seconds / QUESTIONS));
                case "TCP_KEEPCOUNT" -> set(channel, option, QUESTIONS);
                default -> {
                    // Not of interest.
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static void set(SocketChannel channel, SocketOption<?> option, int value) throws IOException {
        if (option.type() == Integer.class) {
            channel.setOption((SocketOption<Integer>) option, value);
        }
    }
}
