package org.verbena.rdma.core.guard;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A thread that is inside of one gate goes through another, whose parent is shut meanwhile. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "turned back")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "inside, and waited for")
@Outcome(expect = Expect.FORBIDDEN, desc = "inside what was freed")
@State
public class NestedGateSearch {
    private static final Guard GUARD = new Guard();
    private static final Gate OUTER = new Gate("outer");

    private final Gate device = new Gate("device");
    private final Gate queue = new Gate("queue", new Gate("domain", device));
    private final Behind behind = new Behind();

    @Actor
    public void goIn(I_Result result) {
        Presence here = GUARD.presence();
        if (!here.enter(OUTER)) {
            return;
        }
        if (here.enter(queue)) {
            result.r1 = behind.use();
            here.exit();
        }
        here.exit();
    }

    @Actor
    public void free() {
        GUARD.shut(device);
        GUARD.awaitOutside(device, Behind.NEVER);
        behind.free();
    }
}
