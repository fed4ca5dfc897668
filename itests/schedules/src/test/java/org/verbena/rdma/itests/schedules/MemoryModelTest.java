package org.verbena.rdma.itests.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.core.cm.DestroySearch;
import org.verbena.rdma.core.cm.OverlapSearch;
import org.verbena.rdma.core.cm.RemovalSearch;
import org.verbena.rdma.core.dispatch.DispatchedFutureSearch;
import org.verbena.rdma.core.dispatch.LaneSearch;
import org.verbena.rdma.core.dispatch.RefreshSearch;
import org.verbena.rdma.core.guard.ExitSearch;
import org.verbena.rdma.core.guard.FirstStaySearch;
import org.verbena.rdma.core.guard.GateSearch;
import org.verbena.rdma.core.guard.NestedGateSearch;
import org.verbena.rdma.core.guard.PassedSearch;
import org.verbena.rdma.core.verbs.PollSessionEndSearch;
import org.verbena.rdma.core.verbs.PostRemovalSearch;
import org.verbena.rdma.core.verbs.QueuePairCloseSearch;
import org.verbena.rdma.core.verbs.RegionCloseSearch;

/** jcstress finds no forbidden outcome in core. */
class MemoryModelTest {
    private static MemoryModel found;

    @BeforeAll
    static void search() throws Exception {
        found = MemoryModel.ofCore();
    }

    private static void assertPassed(Class<?> search) {
        assertThat(found.verdict(search)).startsWith("passed");
    }

    @Test
    @DisplayName("C18: jcstress: a thread goes in while the gate is shut")
    void gate() {
        assertPassed(GateSearch.class);
    }

    @Test
    @DisplayName("C18: jcstress: a thread inside of one gate goes through another, whose parent is shut")
    void nestedGate() {
        assertPassed(NestedGateSearch.class);
    }

    @Test
    @DisplayName("C18: jcstress: what has no gate of its own ends while it is used")
    void passed() {
        assertPassed(PassedSearch.class);
    }

    @Test
    @DisplayName("C9: jcstress: who has waited for a thread inside sees what it wrote there")
    void exit() {
        assertPassed(ExitSearch.class);
    }

    @Test
    @DisplayName("C18: jcstress: a thread that was never seen before goes in while the gate is shut")
    void firstStay() {
        assertPassed(FirstStaySearch.class);
    }

    @Test
    @DisplayName("C19: jcstress: a memory region is closed while a request is posted that was posted before")
    void regionClose() {
        assertPassed(RegionCloseSearch.class);
    }

    @Test
    @DisplayName("C18: jcstress: a queue pair is closed while something is posted")
    void queuePairClose() {
        assertPassed(QueuePairCloseSearch.class);
    }

    @Test
    @DisplayName("C18: jcstress: the device is removed while something is posted")
    void postRemoval() {
        assertPassed(PostRemovalSearch.class);
    }

    @Test
    @DisplayName("C18: jcstress: the session of a consumer ends while it polls")
    void pollSessionEnd() {
        assertPassed(PollSessionEndSearch.class);
    }

    @Test
    @DisplayName("C1: jcstress: two turns on a lane of width 1 run both, one after the other")
    void lane() {
        assertPassed(LaneSearch.class);
    }

    @Test
    @DisplayName("C6: jcstress: a continuation added while its future completes runs once, on the dispatcher")
    void dispatchedFuture() {
        assertPassed(DispatchedFutureSearch.class);
    }

    @Test
    @DisplayName("C11: jcstress: what is brought up to date is never older than the last asking")
    void refresh() {
        assertPassed(RefreshSearch.class);
    }

    @Test
    @DisplayName("C5: jcstress: destroy meets the beginning of a callback")
    void destroy() {
        assertPassed(DestroySearch.class);
    }

    @Test
    @DisplayName("C1: jcstress: two threads that want to run a callback of one id do not overlap")
    void overlap() {
        assertPassed(OverlapSearch.class);
    }

    @Test
    @DisplayName("C8: jcstress: removal meets destroy")
    void removal() {
        assertPassed(RemovalSearch.class);
    }
}
