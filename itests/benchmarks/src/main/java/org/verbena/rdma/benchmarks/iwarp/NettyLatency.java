package org.verbena.rdma.benchmarks.iwarp;

import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Samples;

/** A message to Netty's echo and back, one at a time, half of the time of that, the median. */
final class NettyLatency implements Contender {
    private final Samples samples = new Samples();
    private final Client client;
    private Effort effort;
    private NettyEcho echo;

    NettyLatency(int size) {
        client = new Client(size);
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
        samples.clear();
        client.run(echo, 1, effort.slice().toNanos());
        return samples.median() / 2e3;
    }

    @Override
    public void close() {
        echo.close();
    }

    private final class Client extends NettyClient {
        private long sentAt;

        Client(int size) {
            super(size);
        }

        @Override
        void started() {
            sentAt = System.nanoTime();
        }

        @Override
        void answered(int messages) {
            long now = System.nanoTime();
            samples.add(now - sentAt);
            sentAt = now;
        }
    }
}
