package org.verbena.rdma.core.verbs;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A completion queue is polled while the session of its consumer ends. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "refused")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "done before anything was closed")
@Outcome(expect = Expect.FORBIDDEN, desc = "the provider has used what was closed")
@State
public class PollSessionEndSearch {
    private final Connection connection = new Connection();

    @Actor
    public void poll(I_Result result) {
        result.r1 = connection.poll();
    }

    @Actor
    public void end() {
        connection.endSession();
    }
}
