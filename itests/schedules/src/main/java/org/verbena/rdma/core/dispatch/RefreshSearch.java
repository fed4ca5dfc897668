package org.verbena.rdma.core.dispatch;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads change something each and ask for a refresh: in the end both changes are in it. */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "what is left is not older than the last asking")
@Outcome(expect = Expect.FORBIDDEN, desc = "a change was left out, or it was done by two threads at a time")
@State
public class RefreshSearch {
    private final Refresh refresh = new Refresh(this::copy);
    private volatile int first;
    private volatile int second;
    private int firstCopy;
    private int secondCopy;
    private volatile boolean copying;
    private volatile int overlaps;

    private void copy() {
        if (copying) {
            overlaps = 1;
        }
        copying = true;
        firstCopy = first;
        secondCopy = second;
        copying = false;
    }

    @Actor
    public void changeFirst() {
        first = 1;
        refresh.ask();
    }

    @Actor
    public void changeSecond() {
        second = 1;
        refresh.ask();
    }

    @Arbiter
    public void look(III_Result result) {
        result.r1 = firstCopy;
        result.r2 = secondCopy;
        result.r3 = overlaps;
    }
}
