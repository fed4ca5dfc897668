package org.verbena.rdma.benchmarks.iwarp;

import org.verbena.rdma.RdmaException;
import org.verbena.rdma.benchmarks.Effort;

/** How many small messages are sent and sent back in a second when some are under way all the time, both ends polling. */
final class IwarpRate implements Contender {
    private final int size;
    private final int outstanding;
    private Effort effort;
    private Machine machine;
    private Connection connection;

    IwarpRate(int size, int outstanding) {
        this.size = size;
        this.outstanding = outstanding;
    }

    @Override
    public String name() {
        return "iWARP";
    }

    @Override
    public void prepare(Effort chosen) throws Exception {
        effort = chosen;
        machine = new Machine(true);
        connection = machine.connect(new End.Size(size, 2 * outstanding));
        for (int i = 0; i < outstanding; i++) {
            connection.client().postReceive();
            connection.server().postReceive();
        }
    }

    @Override
    public double measure() throws Exception {
        Server server = Server.start(this::serve);
        double rate = Rates.measure(effort, outstanding, this::send, this::answered);
        server.stop();
        return rate;
    }

    private void send(int messages) throws RdmaException {
        End client = connection.client();
        for (int i = 0; i < messages; i++) {
            client.postSend();
        }
    }

    private int answered() throws RdmaException {
        End client = connection.client();
        client.poll();
        int answers = client.takeReceived();
        for (int i = 0; i < answers; i++) {
            client.postReceive();
        }
        return answers;
    }

    private void serve(Server running) throws RdmaException {
        End server = connection.server();
        while (running.goesOn()) {
            server.poll();
            for (int i = server.takeReceived(); i > 0; i--) {
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
