package org.verbena.rdma.benchmarks.iwarp;

import org.verbena.rdma.benchmarks.Effort;

/** How many thousands of small messages a second go to Netty's echo and back when some are under way all the time. */
final class NettyRate implements Contender {
    private final Client client;
    private final int outstanding;
    private Effort effort;
    private NettyEcho echo;

    NettyRate(int size, int outstanding) {
        this.client = new Client(size);
        this.outstanding = outstanding;
    }

    @Override
    public String name() {
        return "Netty";
    }

    @Override
    public void prepare(Effort chosen) {
        effort = chosen;
        echo = new NettyEcho(client);
    }

    @Override
    public double measure() throws InterruptedException {
        long before = client.count;
        long start = System.nanoTime();
        client.run(echo, outstanding, effort.slice().toNanos());
        return (client.count - before) * 1e6 / (System.nanoTime() - start);
    }

    @Override
    public void close() {
        echo.close();
    }

    private static final class Client extends NettyClient {
        /** Written on the loop, read when that has told that it is idle. */
        private long count;

        Client(int size) {
            super(size);
        }

        @Override
        void answered(int messages) {
            count += messages;
        }
    }
}
