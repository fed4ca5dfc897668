// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.io.IOException;

/** The loops that are measured, the same whatever the ends are made with. */
record CostLoops(CostEnd client, CostEnd server) implements AutoCloseable {
    /** Sends messages back and forth; returns nanoseconds. */
    long pingPong(int turns) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < turns; i++) {
            client.send();
            server.awaitReceived();
            server.postReceive();
            server.send();
            client.awaitReceived();
            client.postReceive();
            client.awaitSent();
            server.awaitSent();
        }
        return System.nanoTime() - start;
    }

    /** Writes, several at a time; returns nanoseconds. */
    long write(int count) throws IOException {
        long start = System.nanoTime();
        int outstanding = 0;
        for (int i = 0; i < count; i++) {
            if (outstanding == CostEnd.DEPTH) {
                client.awaitSent();
                outstanding--;
            }
            client.write();
            outstanding++;
        }
        for (; outstanding > 0; outstanding--) {
            client.awaitSent();
        }
        return System.nanoTime() - start;
    }

    @Override
    public void close() throws IOException {
        try (server) {
            client.close();
        }
    }
}
