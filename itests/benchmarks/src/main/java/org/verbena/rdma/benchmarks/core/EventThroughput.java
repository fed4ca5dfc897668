package org.verbena.rdma.benchmarks.core;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;
import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Goal;
import org.verbena.rdma.benchmarks.Row;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.spi.EndpointUpcalls;

/**
 * Events of many ids as fast as they go: a provider's thread raises an event on each id in turn as soon as the one before
 * was handled. The baseline hands a task on in the same way.
 */
public final class EventThroughput implements Row {
    private static final int IDLE = 0;
    private static final int RAISED = 1;
    /** So many integers are as long as two cache lines, which are the unit of prefetching. */
    private static final int APART = 32;

    private final int fullCount;
    private final PlainExecutor executor = new PlainExecutor();
    private Effort effort;
    private Platform platform;
    private AtomicIntegerArray states;
    private int count;
    private EndpointUpcalls[] upcalls;
    private Runnable[] tasks;

    /**
     * Makes the row.
     *
     * @param count how many ids are busy
     */
    public EventThroughput(int count) {
        fullCount = count;
    }

    @Override
    public String what() {
        return String.format("events, %,d %s busy", fullCount, fullCount == 1 ? "id" : "ids");
    }

    @Override
    public String unit() {
        return "ns each";
    }

    @Override
    public String baseline() {
        return "tasks handed to a plain executor thread";
    }

    @Override
    public Goal goal() {
        return Goal.ratioAtMost(1.3);
    }

    @Override
    public void prepare(Effort chosen) throws Exception {
        effort = chosen;
        count = effort.of(fullCount);
        states = new AtomicIntegerArray(count * APART);
        platform = new Platform();
        StubDevice device = new StubDevice("stub0", "192.0.2.1");
        platform.plug(device);
        StubIds ids = new StubIds(platform, device);
        CmId[] made = ids.connected(count, event -> Verdict.KEEP).toArray(new CmId[0]);
        upcalls = new EndpointUpcalls[count];
        tasks = new Runnable[count];
        Arrays.setAll(tasks, i -> () -> states.setRelease(i * APART, IDLE));
        for (int i = 0; i < count; i++) {
            int here = i * APART;
            made[i].handler(event -> {
                states.setRelease(here, IDLE);
                return Verdict.KEEP;
            });
            upcalls[i] = device.endpoints().get(i).upcalls();
        }
    }

    @Override
    public double measure() {
        return nanosEach(i -> upcalls[i].addressChanged());
    }

    @Override
    public double measureBaseline() {
        return nanosEach(i -> executor.execute(tasks[i]));
    }

    private double nanosEach(IntConsumer raise) {
        long start = System.nanoTime();
        long end = start + effort.slice().toNanos();
        long raised = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < count; i++) {
                if (states.getAcquire(i * APART) == IDLE) {
                    states.setPlain(i * APART, RAISED);
                    raise.accept(i);
                    raised++;
                } else {
                    Thread.onSpinWait();
                }
            }
        }
        for (int i = 0; i < count; i++) {
            while (states.getAcquire(i * APART) != IDLE) {
                Thread.onSpinWait();
            }
        }
        return (double) (System.nanoTime() - start) / raised;
    }

    @Override
    public void close() {
        platform.close();
        executor.shutdownNow();
    }
}
