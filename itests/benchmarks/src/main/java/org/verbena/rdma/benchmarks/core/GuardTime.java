package org.verbena.rdma.benchmarks.core;

import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Goal;
import org.verbena.rdma.benchmarks.Jmh;
import org.verbena.rdma.benchmarks.Row;

/** What core adds to a post or poll: the check that the object may still be used, and the ways in and out. */
public final class GuardTime implements Row {
    private final String operation;
    private final int threads;
    private Jmh jmh;

    /**
     * Makes the row.
     *
     * @param operation post or poll
     * @param threads how many threads do it, each on objects of its own
     */
    public GuardTime(String operation, int threads) {
        this.operation = operation;
        this.threads = threads;
    }

    @Override
    public String what() {
        return "guarded " + operation + ", " + threads + (threads == 1 ? " thread" : " threads");
    }

    @Override
    public String unit() {
        return "ns";
    }

    @Override
    public String baseline() {
        return "provider's method called directly";
    }

    @Override
    public Goal goal() {
        return Goal.moreByAtMost(5, unit());
    }

    @Override
    public void prepare(Effort effort) {
        jmh = new Jmh(GuardBenchmark.class, threads, effort);
    }

    @Override
    public double measure() throws Exception {
        return jmh.time(operation);
    }

    @Override
    public double measureBaseline() throws Exception {
        return jmh.time(operation + "Directly");
    }
}
