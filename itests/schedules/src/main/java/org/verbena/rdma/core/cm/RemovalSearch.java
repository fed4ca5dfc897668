package org.verbena.rdma.core.cm;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.verbena.rdma.cm.CmEventType;

/** An id's device is removed while the id is destroyed: told before, or not at all, and one of the two cleans up. */
@JCStressTest
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "destroy has won: no event")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "removal has won: one event")
@Outcome(expect = Expect.FORBIDDEN, desc = "told after destroy, or cleaned up by both or nobody")
@State
public class RemovalSearch {
    private final IdState state = IdState.idle();
    private final CleanUps cleanUps = new CleanUps(state);
    private volatile boolean over;

    @Actor
    public void remove(III_Result result) {
        state.markRemoval(null);
        if (state.tellRemoval(null) != IdState.After.SCHEDULE) {
            return;
        }
        Event event = state.beginCallback(null);
        if (event != null && event.type() == CmEventType.DEVICE_REMOVAL) {
            result.r1 = 1;
            result.r2 = over ? 1 : 0;
            cleanUps.after(state.endCallback(false, event.type()));
        }
    }

    @Actor
    public void destroy() {
        cleanUps.after(state.destroy());
        state.awaitDestroyed();
        over = true;
    }

    @Arbiter
    public void look(III_Result result) {
        result.r3 = cleanUps.count();
    }
}
