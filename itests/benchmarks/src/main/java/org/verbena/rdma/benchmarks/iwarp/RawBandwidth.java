package org.verbena.rdma.benchmarks.iwarp;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.verbena.rdma.benchmarks.Effort;

/** How much goes one way over blocking NIO sockets: bursts, each answered when all of it is there. */
final class RawBandwidth implements Contender {
    private final int size;
    private Effort effort;
    private Sockets sockets;

    RawBandwidth(int size) {
        this.size = size;
    }

    @Override
    public String name() {
        return "raw NIO";
    }

    @Override
    public void prepare(Effort chosen) throws IOException {
        effort = chosen;
        sockets = Sockets.connected(true);
    }

    @Override
    public double measure() throws Exception {
        ByteBuffer message = ByteBuffer.allocateDirect(size);
        ByteBuffer answer = ByteBuffer.allocateDirect(1);
        Bursts bursts = new Bursts(effort, size);
        Server server = Server.start(running -> serve(running, bursts.messages()));
        double figure = bursts.measure(count -> {
            for (int i = 0; i < count; i++) {
                Sockets.writeAll(sockets.client(), message.clear());
            }
            Sockets.readAll(sockets.client(), answer.clear());
        });
        sockets.client().shutdownOutput();
        server.stop();
        sockets.close();
        sockets = Sockets.connected(true);
        return figure;
    }

    private void serve(Server server, int burst) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(size);
        ByteBuffer answer = ByteBuffer.allocateDirect(1);
        while (true) {
            for (int i = 0; i < burst; i++) {
                message.clear();
                while (message.hasRemaining()) {
                    if (sockets.server().read(message) < 0) {
                        return;
                    }
                }
            }
            Sockets.writeAll(sockets.server(), answer.clear());
        }
    }

    @Override
    public void close() throws IOException {
        sockets.close();
    }
}
