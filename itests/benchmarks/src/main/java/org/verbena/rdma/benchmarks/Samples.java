package org.verbena.rdma.benchmarks;

import java.util.Arrays;

/** Times of many single operations; for one thread. Keeps the first million. */
public final class Samples {
    private final long[] nanos = new long[1 << 20];
    private int count;

    /** Forgets all. */
    public void clear() {
        count = 0;
    }

    /**
     * Adds a time.
     *
     * @param time in nanoseconds
     */
    public void add(long time) {
        if (count < nanos.length) {
            nanos[count++] = time;
        }
    }

    /**
     * Returns the time that a share of the operations does not exceed.
     *
     * @param share 0 to 1
     * @return nanoseconds
     */
    public double quantile(double share) {
        long[] sorted = Arrays.copyOf(nanos, checkedCount());
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1L, (long) (share * count))];
    }

    /**
     * Returns the time that half of the operations do not exceed.
     *
     * @return nanoseconds
     */
    public double median() {
        return quantile(0.5);
    }

    /**
     * Returns the mean.
     *
     * @return nanoseconds
     */
    public double mean() {
        return Arrays.stream(nanos, 0, checkedCount()).average().orElseThrow();
    }

    private int checkedCount() {
        if (count == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        return count;
    }
}
