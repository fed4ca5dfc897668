// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

/** A program of rdma-core whose other end is played: who speaks first, and who hangs up. */
enum Program {
    /** Many connections, the server sends first and hangs up ({@code ucmatose(1)}). */
    UCMATOSE(true, End.SERVER, 10, 100),
    /** One message of 16 bytes each way, the client first, both hang up ({@code rdma_client(1)}). */
    EXAMPLE(false, End.BOTH, 1, 16),
    /** Connections without data; the client hangs up ({@code cmtime(1)}). */
    CMTIME(false, End.CLIENT, 0, 0);

    private enum End {
        SERVER,
        CLIENT,
        BOTH
    }

    private final boolean serverFirst;
    private final End end;
    private final int messages;
    private final int size;

    Program(boolean serverFirst, End end, int messages, int size) {
        this.serverFirst = serverFirst;
        this.end = end;
        this.messages = messages;
        this.size = size;
    }

    boolean speaksFirst(boolean server) {
        return serverFirst == server;
    }

    boolean hangsUp(boolean server) {
        return end == End.BOTH || end == (server ? End.SERVER : End.CLIENT);
    }

    /** How many messages go each way over a connection, unless told otherwise. */
    int messages() {
        return messages;
    }

    /** How many bytes a message has, unless told otherwise. */
    int size() {
        return size;
    }
}
