package org.verbena.rdma.benchmarks.iwarp;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Two sockets that are connected with each other over 127.0.0.1. */
record Sockets(SocketChannel client, SocketChannel server) implements AutoCloseable {
    static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    static Sockets connected(boolean blocking) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(LOOPBACK, 0));
            Sockets sockets = new Sockets(SocketChannel.open(listener.getLocalAddress()), listener.accept());
            sockets.client.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(blocking);
            sockets.server.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(blocking);
            return sockets;
        }
    }

    static void writeAll(SocketChannel socket, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
    }

    /** Reads until a buffer is full; on a socket that does not block by looking again and again. */
    static void readAll(SocketChannel socket, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (socket.read(bytes) < 0) {
                throw new EOFException("the other end has closed");
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (client) {
            server.close();
        }
    }
}
