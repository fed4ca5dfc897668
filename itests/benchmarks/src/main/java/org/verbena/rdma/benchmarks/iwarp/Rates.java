package org.verbena.rdma.benchmarks.iwarp;

import org.verbena.rdma.benchmarks.Effort;

/** Counts messages that are answered while some are under way all the time. */
final class Rates {
    /** Sends messages. */
    interface Sender {
        void send(int messages) throws Exception;
    }

    /** Looks how many answers have come. */
    interface Answers {
        int take() throws Exception;
    }

    private Rates() {}

    /** Thousands of answers per second. */
    static double measure(Effort effort, int outstanding, Sender sender, Answers answers) throws Exception {
        long start = System.nanoTime();
        long end = start + effort.slice().toNanos();
        sender.send(outstanding);
        long done = 0;
        int underWay = outstanding;
        long now;
        do {
            int taken = answers.take();
            done += taken;
            if (taken > 0) {
                sender.send(taken);
            }
            now = System.nanoTime();
        } while (now < end);
        double rate = done * 1e6 / (now - start);
        while (underWay > 0) {
            underWay -= answers.take();
        }
        return rate;
    }
}
