package org.verbena.rdma.core.guard;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A thread goes in while another shuts the gate and frees what is behind it. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "turned back")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "inside, and waited for")
@Outcome(expect = Expect.FORBIDDEN, desc = "inside what was freed")
@State
public class GateSearch {
    private static final Guard GUARD = new Guard();

    private final Gate gate = new Gate("gate");
    private final Behind behind = new Behind();

    @Actor
    public void goIn(I_Result result) {
        Presence here = GUARD.presence();
        if (here.enter(gate)) {
            result.r1 = behind.use();
            here.exit();
        }
    }

    @Actor
    public void free() {
        GUARD.shut(gate);
        GUARD.awaitOutside(gate, Behind.NEVER);
        behind.free();
    }
}
