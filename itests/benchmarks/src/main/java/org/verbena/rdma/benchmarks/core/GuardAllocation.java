package org.verbena.rdma.benchmarks.core;

import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Goal;
import org.verbena.rdma.benchmarks.Jmh;
import org.verbena.rdma.benchmarks.Row;

/** What a post or poll through core allocates. */
public final class GuardAllocation implements Row {
    /** What JMH itself allocates is divided by the operations too. The smallest object in one of 200 would be more. */
    private static final double NOTHING = 0.08;

    private final String operation;
    private Jmh jmh;

    /**
     * Makes the row.
     *
     * @param operation post or poll
     */
    public GuardAllocation(String operation) {
        this.operation = operation;
    }

    @Override
    public String what() {
        return "guarded " + operation + ", allocated";
    }

    @Override
    public String unit() {
        return "B";
    }

    @Override
    public String baseline() {
        return "provider's method called directly";
    }

    @Override
    public Goal goal() {
        return new Goal("nothing", result -> result.value() < NOTHING);
    }

    @Override
    public void prepare(Effort effort) {
        jmh = new Jmh(GuardBenchmark.class, 1, effort);
    }

    @Override
    public double measure() throws Exception {
        return jmh.allocation(operation);
    }

    @Override
    public double measureBaseline() throws Exception {
        return jmh.allocation(operation + "Directly");
    }
}
