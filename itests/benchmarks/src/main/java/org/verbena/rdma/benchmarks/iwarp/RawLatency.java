package org.verbena.rdma.benchmarks.iwarp;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.verbena.rdma.benchmarks.Effort;

/** A message there and back over NIO sockets, one at a time, half of the time of that; or how many thousands a second go so. */
final class RawLatency implements Contender {
    private final int size;
    private final boolean spinning;
    private final boolean asRate;
    private final RoundTrips trips = new RoundTrips();
    private Effort effort;
    private Sockets sockets;

    RawLatency(int size, boolean spinning, boolean asRate) {
        this.size = size;
        this.spinning = spinning;
        this.asRate = asRate;
    }

    @Override
    public String name() {
        return "raw NIO " + (asRate ? "ping-pong, " : "") + (spinning ? "spinning" : "blocking");
    }

    @Override
    public void prepare(Effort chosen) throws IOException {
        effort = chosen;
        sockets = Sockets.connected(!spinning);
    }

    @Override
    public double measure() throws Exception {
        Server server = Server.start(this::serve);
        ByteBuffer message = ByteBuffer.allocateDirect(size);
        double median = trips.median(effort, () -> roundTrip(message));
        message.clear().put(0, (byte) 1);
        roundTrip(message);
        server.stop();
        return asRate ? 1e3 / (2 * median) : median;
    }

    private void roundTrip(ByteBuffer message) throws IOException {
        Sockets.writeAll(sockets.client(), message.clear());
        Sockets.readAll(sockets.client(), message.clear());
    }

    /** Until a message says that it is the last one. */
    private void serve(Server server) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(size);
        do {
            Sockets.readAll(sockets.server(), message.clear());
            Sockets.writeAll(sockets.server(), message.clear());
        } while (message.get(0) == 0);
    }

    @Override
    public void close() throws IOException {
        sockets.close();
    }
}
