package org.verbena.rdma.core.guard;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A thread that the guard does not know yet goes in while another looks for those inside. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "turned back")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "inside, and waited for")
@Outcome(expect = Expect.FORBIDDEN, desc = "inside what was freed")
@State
public class FirstStaySearch {
    private final Guard guard = new Guard();
    private final Gate gate = new Gate("gate");
    private final Behind behind = new Behind();

    @Actor
    public void goIn(I_Result result) {
        if (guard.enter(gate)) {
            result.r1 = behind.use();
            guard.exit();
        }
    }

    @Actor
    public void free() {
        guard.shut(gate);
        guard.awaitOutside(gate, Behind.NEVER);
        behind.free();
    }
}
