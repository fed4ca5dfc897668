package org.verbena.rdma.core.verbs;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A request that was posted before is posted again while its memory region is closed. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "refused")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "done before anything was closed")
@Outcome(expect = Expect.FORBIDDEN, desc = "the provider has used what was closed")
@State
public class RegionCloseSearch {
    private final Connection connection = new Connection();

    @Actor
    public void post(I_Result result) {
        result.r1 = connection.post();
    }

    @Actor
    public void close() {
        connection.close(connection.region);
    }
}
