package org.verbena.rdma.core.dispatch;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A continuation is added while the future completes: it runs once, and on the dispatcher. */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "on the dispatcher, once")
@Outcome(expect = Expect.FORBIDDEN, desc = "on the stack of a call, or not once")
@State
public class DispatchedFutureSearch {
    private final Queue<Runnable> dispatched = new ConcurrentLinkedQueue<>();
    private final DispatchedFuture<Integer> future = new DispatchedFuture<>(dispatched::add);
    private volatile int runs;

    @Actor
    public void complete() {
        future.complete(1);
    }

    @Actor
    public void add() {
        future.thenRun(() -> runs = runs + 1);
    }

    @Arbiter
    public void dispatch(II_Result result) {
        result.r1 = runs;
        for (Runnable next = dispatched.poll(); next != null; next = dispatched.poll()) {
            next.run();
        }
        result.r2 = runs;
    }
}
