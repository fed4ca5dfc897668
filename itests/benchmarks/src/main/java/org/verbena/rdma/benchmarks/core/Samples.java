package org.verbena.rdma.benchmarks.core;

import java.util.Arrays;

/** Times of many single operations; for one thread. Keeps the first million. */
final class Samples {
    private final long[] nanos = new long[1 << 20];
    private int count;

    void clear() {
        count = 0;
    }

    void add(long time) {
        if (count < nanos.length) {
            nanos[count++] = time;
        }
    }

    /** Returns the time that a share of the operations does not exceed. */
    double quantile(double share) {
        if (count == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1L, (long) (share * count))];
    }

    double median() {
        return quantile(0.5);
    }
}
