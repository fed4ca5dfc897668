// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.io.IOException;

/**
 * One end of a connection, of which only calls are measured: both ends are driven by one thread, which polls. Messages
 * have {@link #MESSAGE} bytes, writes {@link #WRITE}.
 */
abstract class CostEnd implements AutoCloseable {
    static final int MESSAGE = 64;
    static final int WRITE = 65536;
    static final int DEPTH = 8;

    private int sent;
    private int received;

    abstract void postReceive() throws IOException;

    abstract void send() throws IOException;

    /** Writes into the other end's memory. */
    abstract void write() throws IOException;

    /** Takes what is completed, and counts it by {@link #completed}. */
    abstract void poll() throws IOException;

    /** Ends the connection and closes what it was made of. */
    @Override
    public abstract void close() throws IOException;

    final void completed(boolean receive, boolean success) throws IOException {
        if (!success) {
            throw new IOException((receive ? "a receive" : "a send") + " has failed");
        }
        if (receive) {
            received++;
        } else {
            sent++;
        }
    }

    final void awaitReceived() throws IOException {
        while (received == 0) {
            poll();
        }
        received--;
    }

    final void awaitSent() throws IOException {
        while (sent == 0) {
            poll();
        }
        sent--;
    }
}
