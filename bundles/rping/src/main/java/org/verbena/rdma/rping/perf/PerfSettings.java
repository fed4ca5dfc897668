package org.verbena.rdma.rping.perf;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * What is to be measured.
 *
 * @param server where the server listens
 * @param latencySize how long messages are that go back and forth, 0 for none
 * @param bandwidthSize how long writes are, 0 for none
 * @param depth how many writes are under way at a time
 * @param time for how long each is measured
 */
public record PerfSettings(InetSocketAddress server, int latencySize, int bandwidthSize, int depth, Duration time) {
    /** The port when none is given. */
    public static final int DEFAULT_PORT = 7175;

    /** The same with the port that the server has. */
    public PerfSettings at(int itsPort) {
        return new PerfSettings(
                new InetSocketAddress(server.getAddress(), itsPort), latencySize, bandwidthSize, depth, time);
    }
}
