package org.verbena.rdma.provider.iwarp.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;

/** Stands between two peers and cuts the stream into other pieces, each a TCP segment of its own. */
public final class CuttingProxy implements AutoCloseable {
    private final ServerSocket server;
    private final InetSocketAddress behind;
    private final IntSupplier pieces;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /**
     * Starts it.
     *
     * @param behind who is connected to
     * @param pieces how long each next piece is
     */
    public CuttingProxy(InetSocketAddress behind, IntSupplier pieces) throws IOException {
        this.server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        this.behind = behind;
        this.pieces = pieces;
        start(this::accept);
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    private void start(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket front = server.accept();
                Socket back = new Socket(behind.getAddress(), behind.getPort());
                front.setTcpNoDelay(true);
                back.setTcpNoDelay(true);
                sockets.add(front);
                sockets.add(back);
                start(() -> forward(front, back));
                start(() -> forward(back, front));
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void forward(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[100_000];
            int count;
            while ((count = in.read(buffer)) >= 0) {
                int at = 0;
                while (at < count) {
                    int piece = Math.min(count - at, pieces.getAsInt());
                    out.write(buffer, at, piece);
                    at += piece;
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // One of the two has gone.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
