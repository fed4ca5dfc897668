package org.verbena.rdma.benchmarks.core;

import java.util.concurrent.CountDownLatch;
import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Goal;
import org.verbena.rdma.benchmarks.Row;
import org.verbena.rdma.cm.EventHandler.Verdict;

/**
 * The removal of a device with many ids, whose handlers destroy them: from the beginning of its unregistration until that
 * returns. The baseline queues as many empty callbacks and waits until all have run.
 */
public final class Revocation implements Row {
    private final int fullCount;
    private final boolean connected;
    private Effort effort;
    private int count;
    private Platform platform;

    /**
     * Makes the row.
     *
     * @param count how many ids
     * @param connected whether the ids are connected and have queue pairs, rather than bound to the device only
     */
    public Revocation(int count, boolean connected) {
        fullCount = count;
        this.connected = connected;
    }

    @Override
    public String what() {
        return String.format("revocation of %,d ids", fullCount) + (connected ? " with queue pairs" : "");
    }

    @Override
    public String unit() {
        return "us each";
    }

    @Override
    public String baseline() {
        return "as many empty callbacks";
    }

    @Override
    public Goal goal() {
        return Goal.ratioAtMost(3);
    }

    @Override
    public void prepare(Effort chosen) {
        effort = chosen;
        count = effort.of(fullCount);
        platform = new Platform();
    }

    @Override
    public double measure() throws Exception {
        long spent = 0;
        long removed = 0;
        do {
            StubDevice device = new StubDevice("stub0", "192.0.2.1");
            platform.plug(device);
            StubIds ids = new StubIds(platform, device);
            if (connected) {
                ids.connected(count, event -> Verdict.DESTROY);
            } else {
                ids.resolved(count, event -> Verdict.DESTROY);
            }
            long start = System.nanoTime();
            platform.unregister(device);
            spent += System.nanoTime() - start;
            removed += count;
        } while (spent < effort.slice().toNanos() / 4);
        return spent / 1e3 / removed;
    }

    @Override
    public double measureBaseline() throws Exception {
        long start = System.nanoTime();
        long run = 0;
        do {
            CountDownLatch left = new CountDownLatch(count);
            for (int i = 0; i < count; i++) {
                platform.runCallback(left::countDown);
            }
            StubIds.await(left);
            run += count;
        } while (System.nanoTime() - start < effort.slice().toNanos() / 4);
        return (System.nanoTime() - start) / 1e3 / run;
    }

    @Override
    public void close() {
        platform.close();
    }
}
