package org.verbena.rdma.benchmarks.core;

import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Goal;
import org.verbena.rdma.benchmarks.Row;

/** Whether the removal of a device takes ten times as long with ten times as many ids. */
public final class RevocationGrowth implements Row {
    private final Revocation many = new Revocation(100_000, false);
    private final Revocation tenth = new Revocation(10_000, false);

    @Override
    public String what() {
        return "revocation, each of 100,000 ids";
    }

    @Override
    public String unit() {
        return many.unit();
    }

    @Override
    public String baseline() {
        return "each of 10,000 ids";
    }

    @Override
    public Goal goal() {
        return Goal.ratioAtMost(1.5);
    }

    @Override
    public void prepare(Effort effort) {
        many.prepare(effort);
        tenth.prepare(effort);
    }

    @Override
    public double measure() throws Exception {
        return many.measure();
    }

    @Override
    public double measureBaseline() throws Exception {
        return tenth.measure();
    }

    @Override
    public void close() {
        many.close();
        tenth.close();
    }
}
