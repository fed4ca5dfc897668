package org.verbena.rdma.core.cm;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads want to run a callback of one id: at no time do both. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "no callback at the same time as another")
@Outcome(expect = Expect.FORBIDDEN, desc = "callbacks of one id overlap")
@State
public class OverlapSearch {
    private final IdState state = IdState.idle();
    private volatile int running;

    public OverlapSearch() {
        state.addressChanged();
        state.markRemoval(null);
        state.tellRemoval(null);
    }

    @Actor
    public void one(II_Result result) {
        result.r1 = callBack(1);
    }

    @Actor
    public void other(II_Result result) {
        result.r2 = callBack(2);
    }

    private int callBack(int who) {
        Event event = state.beginCallback(null);
        if (event == null) {
            return 0;
        }
        int overlaps = running == 0 ? 0 : 1;
        running = who;
        for (int look = 0; look < 50; look++) {
            if (running != who) {
                overlaps = 1;
            }
        }
        running = 0;
        state.endCallback(true, event.type());
        return overlaps;
    }
}
