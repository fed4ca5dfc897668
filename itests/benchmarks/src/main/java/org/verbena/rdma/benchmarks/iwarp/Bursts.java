package org.verbena.rdma.benchmarks.iwarp;

import org.verbena.rdma.benchmarks.Effort;

/** Bandwidth as bursts of messages of one size, each burst over when the last byte has arrived. */
final class Bursts {
    private static final int BURST_BYTES = 64 << 20;

    /** One burst. */
    interface Burst {
        void run(int messages) throws Exception;
    }

    private final Effort effort;
    private final int size;
    private final int messages;

    Bursts(Effort effort, int size) {
        this.effort = effort;
        this.size = size;
        this.messages = effort.of(BURST_BYTES / size);
    }

    int messages() {
        return messages;
    }

    /** MiB per second. */
    double measure(Burst burst) throws Exception {
        long start = System.nanoTime();
        long end = start + effort.slice().toNanos();
        long done = 0;
        long now;
        do {
            burst.run(messages);
            done += messages;
            now = System.nanoTime();
        } while (now < end);
        return done * size / (double) (1 << 20) * 1e9 / (now - start);
    }
}
