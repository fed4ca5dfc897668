// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.verbena.rdma.cm.ConnectionManager;

/**
 * What Verbena costs on a device of the kernel: the same loops by Verbena and by DiSNI's classes alone, by turns, over
 * connections of this program to itself. Only the ratios say something.
 */
final class Cost {
    private static final int TURNS = 9;
    private static final int CONNECTIONS = 5;

    private final ConnectionManager connectionManager;
    private final PrintStream out;
    private final InetSocketAddress server;

    Cost(ConnectionManager connectionManager, PrintStream out, InetSocketAddress server) {
        this.connectionManager = connectionManager;
        this.out = out;
        this.server = server;
    }

    /** Connects both ends of a connection. */
    private interface Maker {
        CostLoops connect() throws IOException, PeerFailedException, InterruptedException;
    }

    /** What is measured; returns nanoseconds. */
    private interface Measured {
        long run() throws IOException, PeerFailedException, InterruptedException;
    }

    void run(int pings) throws IOException, PeerFailedException, InterruptedException {
        Maker byVerbena = () -> VerbenaCost.connect(connectionManager, server);
        Maker byDisni = () -> DisniCost.connect(server);
        compare("connections", () -> make(byVerbena), () -> make(byDisni));
        try (CostLoops verbena = byVerbena.connect();
                CostLoops disni = byDisni.connect()) {
            compare("pings", () -> verbena.pingPong(pings), () -> disni.pingPong(pings));
            compare("writes", () -> verbena.write(pings), () -> disni.write(pings));
        }
    }

    private static long make(Maker maker) throws IOException, PeerFailedException, InterruptedException {
        long start = System.nanoTime();
        for (int i = 0; i < CONNECTIONS; i++) {
            maker.connect().close();
        }
        return System.nanoTime() - start;
    }

    private void compare(String what, Measured verbena, Measured disni)
            throws IOException, PeerFailedException, InterruptedException {
        // Until both are compiled.
        verbena.run();
        disni.run();
        double[] ratios = new double[TURNS];
        for (int i = 0; i < TURNS; i++) {
            // Who goes first changes, lest one of them always finds what the other has left behind.
            boolean first = i % 2 == 0;
            long ours = first ? verbena.run() : 0;
            long alone = disni.run();
            ratios[i] = (double) (first ? ours : verbena.run()) / alone;
        }
        Arrays.sort(ratios);
        out.printf(
                "cost: %s %.3f of DiSNI, from %.3f to %.3f%n", what, ratios[TURNS / 2], ratios[0], ratios[TURNS - 1]);
    }
}
