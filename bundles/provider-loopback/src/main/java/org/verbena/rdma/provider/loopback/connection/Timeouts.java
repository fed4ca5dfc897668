package org.verbena.rdma.provider.loopback.connection;

import java.time.Duration;

/**
 * How long a device waits.
 *
 * @param connect for an answer of an address that nobody has
 * @param disconnect for sends to be carried out before a connection ends all the same
 * @param receiverNotReady for a receive of the peer, one try
 * @param timewait from the end of a connection until its queue pair leaves the time-wait state; zero for a device
 *     without that
 */
public record Timeouts(Duration connect, Duration disconnect, Duration receiverNotReady, Duration timewait) {
    /** What holds when nothing was set. */
    public static final Timeouts DEFAULTS =
            new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMillis(10), Duration.ZERO);
}
