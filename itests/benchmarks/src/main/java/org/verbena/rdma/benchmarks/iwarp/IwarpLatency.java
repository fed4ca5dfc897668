package org.verbena.rdma.benchmarks.iwarp;

import java.util.ArrayList;
import java.util.List;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.benchmarks.Effort;

/**
 * A message sent and sent back, one at a time, half of the time of that, both ends polling. There may be idle connections
 * beside.
 */
final class IwarpLatency implements Contender {
    private static final int DEPTH = 16;

    private final int size;
    private final boolean crc;
    private final int idle;
    private final boolean mean;
    private final RoundTrips trips = new RoundTrips();
    private final List<Connection> idleConnections = new ArrayList<>();
    private Effort effort;
    private Machine machine;
    private Connection connection;

    private IwarpLatency(int size, boolean crc, int idle, boolean mean) {
        this.size = size;
        this.crc = crc;
        this.idle = idle;
        this.mean = mean;
    }

    /** The median. */
    static IwarpLatency of(int size, boolean crc) {
        return new IwarpLatency(size, crc, 0, false);
    }

    /** The mean, for others that tell no more. */
    static IwarpLatency meanOf(int size, boolean crc) {
        return new IwarpLatency(size, crc, 0, true);
    }

    /** The median among many idle connections. */
    static IwarpLatency among(int idle, int size) {
        return new IwarpLatency(size, true, idle, false);
    }

    @Override
    public String name() {
        return idle == 0 ? "alone" : "among " + idle + " idle";
    }

    @Override
    public void prepare(Effort chosen) throws Exception {
        effort = chosen;
        machine = new Machine(crc);
        connection = machine.connect(new End.Size(size, DEPTH));
        for (int i = 0; idle > 0 && i < effort.of(idle); i++) {
            idleConnections.add(machine.connect(new End.Size(size, DEPTH)));
        }
        connection.client().postReceive();
        connection.server().postReceive();
    }

    @Override
    public double measure() throws Exception {
        Server server = Server.start(this::serve);
        double figure = mean ? trips.mean(effort, this::roundTrip) : trips.median(effort, this::roundTrip);
        server.stop();
        return figure;
    }

    private void roundTrip() throws RdmaException {
        End client = connection.client();
        client.postSend();
        while (client.takeReceived() == 0) {
            client.poll();
        }
        client.postReceive();
    }

    private void serve(Server running) throws RdmaException {
        End server = connection.server();
        while (running.goesOn()) {
            server.poll();
            if (server.takeReceived() > 0) {
                server.postReceive();
                server.postSend();
            }
        }
    }

    @Override
    public void close() {
        machine.close();
    }
}
