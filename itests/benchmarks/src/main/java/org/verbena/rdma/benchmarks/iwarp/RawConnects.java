package org.verbena.rdma.benchmarks.iwarp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.verbena.rdma.benchmarks.Effort;

/**
 * Connects, sends 20 bytes and gets 20 bytes back, as many as the set-up frames of MPA are long, and closes; by blocking
 * sockets, one thread at each end.
 */
final class RawConnects implements Contender {
    private static final int FRAME_BYTES = 20;

    private Effort effort;
    private ServerSocketChannel listener;
    private Server server;

    @Override
    public String name() {
        return "raw NIO connect, 20 bytes each way, close";
    }

    @Override
    public void prepare(Effort chosen) throws IOException {
        effort = chosen;
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(Sockets.LOOPBACK, 0), 128);
        server = Server.start(this::serve);
    }

    private void serve(Server running) throws IOException {
        ByteBuffer frame = ByteBuffer.allocateDirect(FRAME_BYTES);
        while (true) {
            try (SocketChannel peer = listener.accept()) {
                peer.setOption(StandardSocketOptions.TCP_NODELAY, true);
                Sockets.readAll(peer, frame.clear());
                Sockets.writeAll(peer, frame.flip());
                // Until the client has closed.
                peer.read(frame.clear());
            } catch (AsynchronousCloseException closed) {
                return;
            }
        }
    }

    @Override
    public double measure() throws Exception {
        ByteBuffer frame = ByteBuffer.allocateDirect(FRAME_BYTES);
        return IwarpConnects.rate(effort, () -> {
            server.check();
            try (SocketChannel client = SocketChannel.open(listener.getLocalAddress())) {
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                Sockets.writeAll(client, frame.clear());
                Sockets.readAll(client, frame.clear());
            }
        });
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
