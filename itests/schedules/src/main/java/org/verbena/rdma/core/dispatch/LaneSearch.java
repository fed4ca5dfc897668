package org.verbena.rdma.core.dispatch;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.verbena.rdma.core.recording.Recorder;

/** Two threads schedule a turn each on a lane that is one thread wide: both run, one after the other. */
@JCStressTest
@Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "both have run, and the second has seen what the first wrote")
@Outcome(expect = Expect.FORBIDDEN, desc = "a turn is lost, or two have run at a time")
@State
public class LaneSearch {
    private static final Dispatcher DISPATCHER = new Dispatcher(() -> 1, () -> Long.MAX_VALUE, Recorder.NONE);
    private static final Executor WORKERS =
            Executors.newFixedThreadPool(2, work -> DispatcherThread.make(DISPATCHER, work, "worker"));

    /** Once a turn was lost it is pointless to wait as long again. */
    private static volatile long patienceNanos = 20_000_000_000L;

    private final Lane lane = new Lane("lane", DISPATCHER, WORKERS);
    private final AtomicInteger ran = new AtomicInteger();
    private int steps;

    private final class Step extends Turn {
        @Override
        protected void step() {
            int before = steps;
            for (int i = 0; i < 20; i++) {
                Thread.onSpinWait();
            }
            steps = before + 1;
            ran.incrementAndGet();
        }

        @Override
        protected String label() {
            return "step";
        }
    }

    @Actor
    public void scheduleFirst() {
        lane.schedule(new Step());
    }

    @Actor
    public void scheduleSecond() {
        lane.schedule(new Step());
    }

    @Arbiter
    public void look(II_Result result) {
        long start = System.nanoTime();
        while (ran.get() < 2) {
            if (System.nanoTime() - start > patienceNanos) {
                patienceNanos = 1_000_000;
                break;
            }
            Thread.yield();
        }
        result.r1 = ran.get();
        result.r2 = steps;
    }
}
