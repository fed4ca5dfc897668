package org.verbena.rdma.core.guard;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What a thread has written inside is seen by whoever has waited for it. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "turned back")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "inside, and what it wrote is seen")
@Outcome(expect = Expect.FORBIDDEN, desc = "freed without what was written inside")
@State
public class ExitSearch {
    private static final Guard GUARD = new Guard();

    private final Gate gate = new Gate("gate");
    private int written;

    @Actor
    public void write(II_Result result) {
        Presence here = GUARD.presence();
        if (here.enter(gate)) {
            written = 1;
            result.r1 = 1;
            here.exit();
        }
    }

    @Actor
    public void free(II_Result result) {
        GUARD.shut(gate);
        GUARD.awaitOutside(gate, Behind.NEVER);
        result.r2 = written;
    }
}
