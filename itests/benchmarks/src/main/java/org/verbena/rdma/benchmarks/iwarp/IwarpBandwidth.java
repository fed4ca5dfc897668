package org.verbena.rdma.benchmarks.iwarp;

import java.util.Locale;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.benchmarks.Effort;

/**
 * How much is written to, or read from, the memory of the peer, with some requests outstanding. A burst of writes is over
 * when a message that was sent behind it is answered, a burst of reads when the last one is done.
 */
final class IwarpBandwidth implements Contender {
    /** What is measured. */
    enum Operation {
        WRITE,
        READ;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static final int OUTSTANDING = 16;

    private final Operation operation;
    private final int size;
    private final boolean crc;
    private Bursts bursts;
    private Machine machine;
    private Connection connection;

    IwarpBandwidth(Operation operation, int size, boolean crc) {
        this.operation = operation;
        this.size = size;
        this.crc = crc;
    }

    @Override
    public String name() {
        return "iWARP";
    }

    @Override
    public void prepare(Effort effort) throws Exception {
        bursts = new Bursts(effort, size);
        machine = new Machine(crc);
        connection = machine.connect(new End.Size(size, 2 * OUTSTANDING));
        connection.client().postReceive();
        connection.server().postReceive();
    }

    @Override
    public double measure() throws Exception {
        Server server = Server.start(this::serve);
        double figure = bursts.measure(operation == Operation.WRITE ? this::write : this::read);
        server.stop();
        return figure;
    }

    private void write(int messages) throws RdmaException {
        End client = connection.client();
        int posted = 0;
        int done = 0;
        while (done < messages) {
            for (; posted < messages && posted - done < OUTSTANDING; posted++) {
                client.postWrite();
            }
            client.poll();
            done += client.takeSent();
        }
        client.postSend();
        while (client.takeReceived() == 0) {
            client.poll();
        }
        client.postReceive();
        while (client.takeSent() == 0) {
            client.poll();
        }
    }

    private void read(int messages) throws RdmaException {
        End client = connection.client();
        int posted = 0;
        int done = 0;
        while (done < messages) {
            for (; posted < messages && posted - done < OUTSTANDING; posted++) {
                client.postRead();
            }
            client.poll();
            done += client.takeSent();
        }
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
