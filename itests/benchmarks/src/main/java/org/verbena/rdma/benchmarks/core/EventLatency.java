package org.verbena.rdma.benchmarks.core;

import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Goal;
import org.verbena.rdma.benchmarks.Row;
import org.verbena.rdma.benchmarks.Samples;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.spi.EndpointUpcalls;

/**
 * One event of an id that is idle, as are all threads of core: from the provider's upcall until the consumer's handler
 * runs. The median of many, with a pause between two, after which the threads sleep again.
 */
public final class EventLatency implements Row {
    private static final long PAUSE_NANOS = 100_000;

    private final PlainExecutor executor = new PlainExecutor();
    private final Samples samples = new Samples();
    private Platform platform;
    private EndpointUpcalls upcalls;
    private Effort effort;
    private volatile long handled;

    @Override
    public String what() {
        return "event from upcall to handler, idle id";
    }

    @Override
    public String unit() {
        return "us";
    }

    @Override
    public String baseline() {
        return "task handed to a plain executor thread";
    }

    @Override
    public Goal goal() {
        return Goal.ratioAtMost(1.2);
    }

    @Override
    public void prepare(Effort chosen) throws Exception {
        effort = chosen;
        platform = new Platform();
        StubDevice device = new StubDevice("stub0", "192.0.2.1");
        platform.plug(device);
        new StubIds(platform, device).connected(1, event -> {
            handled = System.nanoTime();
            return Verdict.KEEP;
        });
        upcalls = device.endpoints().get(0).upcalls();
    }

    @Override
    public double measure() {
        return median(upcalls::addressChanged);
    }

    @Override
    public double measureBaseline() {
        return median(() -> executor.execute(() -> handled = System.nanoTime()));
    }

    private double median(Runnable event) {
        samples.clear();
        long end = System.nanoTime() + effort.slice().toNanos();
        do {
            handled = 0;
            long start = System.nanoTime();
            event.run();
            while (handled == 0) {
                Thread.onSpinWait();
            }
            samples.add(handled - start);
            long next = System.nanoTime() + PAUSE_NANOS;
            while (System.nanoTime() < next) {
                Thread.onSpinWait();
            }
        } while (System.nanoTime() < end);
        return samples.median() / 1e3;
    }

    @Override
    public void close() {
        platform.close();
        executor.shutdownNow();
    }
}
