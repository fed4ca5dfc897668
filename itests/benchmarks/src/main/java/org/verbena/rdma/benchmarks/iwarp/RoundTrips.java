package org.verbena.rdma.benchmarks.iwarp;

import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Samples;

/** Times round trips. */
final class RoundTrips {
    /** One message there and back. */
    interface RoundTrip {
        void run() throws Exception;
    }

    private final Samples samples = new Samples();

    /** Half of a round trip in microseconds, the median of as many as there is time for. */
    double median(Effort effort, RoundTrip trip) throws Exception {
        time(effort, trip);
        return samples.median() / 2e3;
    }

    /** The same as a mean, for others that tell no more. */
    double mean(Effort effort, RoundTrip trip) throws Exception {
        time(effort, trip);
        return samples.mean() / 2e3;
    }

    private void time(Effort effort, RoundTrip trip) throws Exception {
        samples.clear();
        long end = System.nanoTime() + effort.slice().toNanos();
        long start = System.nanoTime();
        do {
            trip.run();
            long now = System.nanoTime();
            samples.add(now - start);
            start = now;
        } while (start < end);
    }
}
