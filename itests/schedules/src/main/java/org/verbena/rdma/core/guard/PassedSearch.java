package org.verbena.rdma.core.guard;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Something without a gate of its own ends, and is freed when all have passed the gate, which stays open. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "seen to be over")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "in use, and waited for")
@Outcome(expect = Expect.FORBIDDEN, desc = "in use and freed")
@State
public class PassedSearch {
    private static final Guard GUARD = new Guard();
    private static final Gate GATE = new Gate("gate");

    private final Behind behind = new Behind();
    private volatile boolean over;

    @Actor
    public void use(I_Result result) {
        Presence here = GUARD.presence();
        if (here.enter(GATE)) {
            if (!over) {
                result.r1 = behind.use();
            }
            here.exit();
        }
    }

    @Actor
    public void end() {
        over = true;
        GUARD.awaitPassed(GATE, Behind.NEVER);
        behind.free();
    }
}
