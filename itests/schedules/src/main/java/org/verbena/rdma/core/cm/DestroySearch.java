package org.verbena.rdma.core.cm;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An id is destroyed while its callback begins: destroy returns when no callback runs or will, and one cleans up. */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "no callback")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the callback was over before destroy returned")
@Outcome(expect = Expect.FORBIDDEN, desc = "a callback after destroy, or not one clean-up")
@State
public class DestroySearch {
    private final IdState state = IdState.idle();
    private final CleanUps cleanUps = new CleanUps(state);
    private volatile boolean over;

    public DestroySearch() {
        state.addressChanged();
    }

    @Actor
    public void callBack(II_Result result) {
        Event event = state.beginCallback(null);
        if (event != null) {
            int seen = 1;
            for (int look = 0; look < 50; look++) {
                if (over) {
                    seen = 2;
                }
            }
            result.r1 = seen;
            cleanUps.after(state.endCallback(true, event.type()));
        }
    }

    @Actor
    public void destroy() {
        cleanUps.after(state.destroy());
        state.awaitDestroyed();
        over = true;
    }

    @Arbiter
    public void look(II_Result result) {
        result.r2 = cleanUps.count();
    }
}
