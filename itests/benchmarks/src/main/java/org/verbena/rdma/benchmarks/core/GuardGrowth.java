package org.verbena.rdma.benchmarks.core;

import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Goal;
import org.verbena.rdma.benchmarks.Jmh;
import org.verbena.rdma.benchmarks.Row;

/** Whether a post or poll through core costs the same when other threads do it too, each on objects of its own. */
public final class GuardGrowth implements Row {
    private static final int MANY = 4;

    private final String operation;
    private Jmh many;
    private Jmh one;

    /**
     * Makes the row.
     *
     * @param operation post or poll
     */
    public GuardGrowth(String operation) {
        this.operation = operation;
    }

    @Override
    public String what() {
        return "guarded " + operation + ", each of " + MANY + " threads";
    }

    @Override
    public String unit() {
        return "ns";
    }

    @Override
    public String baseline() {
        return "guarded " + operation + ", alone";
    }

    @Override
    public Goal goal() {
        return new Goal("flat: at most 1.2x", result -> result.ratio() <= 1.2);
    }

    @Override
    public void prepare(Effort effort) {
        many = new Jmh(GuardBenchmark.class, MANY, effort);
        one = new Jmh(GuardBenchmark.class, 1, effort);
    }

    @Override
    public double measure() throws Exception {
        return many.time(operation);
    }

    @Override
    public double measureBaseline() throws Exception {
        return one.time(operation);
    }
}
