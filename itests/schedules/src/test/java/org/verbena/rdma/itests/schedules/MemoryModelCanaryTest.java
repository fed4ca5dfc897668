package org.verbena.rdma.itests.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
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

/**
 * jcstress finds what was broken on purpose; a search that does not is blind. Breaks of different classes are in one
 * variant, where no search meets two of them, to save time.
 */
class MemoryModelCanaryTest {
    private static final Break NO_FENCE =
            Break.of("guard/Presence", "    void fence() {\n        VarHandle.fullFence();\n", "    void fence() {\n");
    private static final Break LOST_TURN = Break.of(
            "dispatch/Lane",
            "        } while (!pushed.compareAndSet(top, turn));\n",
            "            pushed.set(turn);\n        } while (false);\n");
    private static final Break ON_THE_STACK =
            Break.of("dispatch/DispatchedFuture", "return thenRunAsync(action);", "return super.thenRun(action);");
    private static final Break LAST_ASKING_FORGOTTEN = Break.of(
            "dispatch/Refresh", "} while (!asked.compareAndSet(seen, 0));", "} while (asked.getAndSet(0) < 0);");
    private static final Break CALLBACK_NOT_WAITED_FOR = Break.of(
            "cm/IdState", "if (call == null && callback == null && !cleaning) {", "if (call == null && !cleaning) {");

    private static final Break REGION_NOT_COUNTED =
            Break.of("verbs/GuardedProtectionDomain", "        ENDED_REGIONS.getAndAdd(this, 1L);\n", "");

    private static final Break LOOKED_AT_BEFORE = Break.of(
            "guard/Presence",
            "            SEQUENCE.setRelease(this, stay);\n            fence();\n            if (!gate.isShut()) {\n",
            "            boolean shut = gate.isShut();\n            SEQUENCE.setRelease(this, stay);\n"
                    + "            fence();\n            if (!shut) {\n");

    private static final Break NOT_WAITED_FOR = Break.of(
            "guard/Guard",
            "if (presence != null && !presence.refersTo(current) && !presence.awaitPassed(gate, deadlineNanos,"
                    + " giveUp)) {",
            "if (presence != null && presence.refersTo(current) && !presence.awaitPassed(gate, 0, giveUp)) {");
    private static final Break FIRST_WORKER_TWICE = Break.of(
            "dispatch/Lane",
            "if (workers.get() == 0 && workers.compareAndSet(0, 1)) {",
            "if (workers.incrementAndGet() > 0) {");
    private static final Break NEVER_TOO_MUCH =
            Break.of("dispatch/Lane", "return tooMuch && workers.compareAndSet(now, now - 1);", "return false;");
    private static final Break TWO_CALLBACKS = Break.of(
            "cm/IdState",
            "if (destroying || call != null || callback != null) {\n            return null;",
            "if (destroying || call != null) {\n            return null;");
    private static final Break CLEANED_UP_TWICE = Break.of(
            "cm/IdState",
            "if (call == null && callback == null && !cleaning) {",
            "if (call == null && callback == null) {");

    private static MemoryModel first;
    private static MemoryModel second;
    private static MemoryModel third;
    private static MemoryModel fourth;

    @BeforeAll
    static void search() throws Exception {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "races need two processors");
        first = MemoryModel.ofBroken(
                "broken-memory",
                List.of(NO_FENCE, LOST_TURN, ON_THE_STACK, LAST_ASKING_FORGOTTEN, CALLBACK_NOT_WAITED_FOR),
                List.of(
                        GateSearch.class,
                        PassedSearch.class,
                        LaneSearch.class,
                        DispatchedFutureSearch.class,
                        RefreshSearch.class,
                        DestroySearch.class));
        second = MemoryModel.ofBroken(
                "broken-waiting",
                List.of(NOT_WAITED_FOR, FIRST_WORKER_TWICE, NEVER_TOO_MUCH, TWO_CALLBACKS, CLEANED_UP_TWICE),
                List.of(
                        ExitSearch.class,
                        FirstStaySearch.class,
                        NestedGateSearch.class,
                        QueuePairCloseSearch.class,
                        PostRemovalSearch.class,
                        PollSessionEndSearch.class,
                        LaneSearch.class,
                        OverlapSearch.class,
                        RemovalSearch.class));
        fourth = MemoryModel.ofBroken("broken-gate", List.of(LOOKED_AT_BEFORE), List.of(GateSearch.class));
        third = MemoryModel.ofBroken("broken-region", List.of(REGION_NOT_COUNTED), List.of(RegionCloseSearch.class));
    }

    private static void assertCaught(MemoryModel found, Class<?>... searches) {
        for (Class<?> search : searches) {
            assertThat(found.verdict(search)).as(search.getSimpleName()).startsWith("caught");
        }
    }

    @Test
    @DisplayName("jcstress catches a guard without its memory fence")
    void withoutFence() {
        assertCaught(first, GateSearch.class, PassedSearch.class);
    }

    @Test
    @DisplayName("jcstress catches a guard that waits for nobody")
    void withoutWait() {
        assertCaught(
                second,
                ExitSearch.class,
                FirstStaySearch.class,
                NestedGateSearch.class,
                QueuePairCloseSearch.class,
                PostRemovalSearch.class,
                PollSessionEndSearch.class);
    }

    @Test
    @DisplayName("jcstress catches a gate that is looked at before it is said who goes in")
    void gateLookedAtBefore() {
        assertCaught(fourth, GateSearch.class);
    }

    @Test
    @DisplayName("jcstress catches posts that are not told of the end of a region")
    void regionNotCounted() {
        assertCaught(third, RegionCloseSearch.class);
    }

    @Test
    @DisplayName("jcstress catches a lane that loses a turn")
    void lostTurn() {
        assertCaught(first, LaneSearch.class);
    }

    @Test
    @DisplayName("jcstress catches a lane that runs two turns at a time")
    void twoTurns() {
        assertCaught(second, LaneSearch.class);
    }

    @Test
    @DisplayName("jcstress catches a future that runs a continuation on the stack of a call")
    void onTheStack() {
        assertCaught(first, DispatchedFutureSearch.class);
    }

    @Test
    @DisplayName("jcstress catches a refresh that forgets the last asking")
    void lastAsking() {
        assertCaught(first, RefreshSearch.class);
    }

    @Test
    @DisplayName("jcstress catches a destroy that waits for no callback")
    void callbackNotWaitedFor() {
        assertCaught(first, DestroySearch.class);
    }

    @Test
    @DisplayName("jcstress catches two callbacks of an id at a time")
    void twoCallbacks() {
        assertCaught(second, OverlapSearch.class);
    }

    @Test
    @DisplayName("jcstress catches a removal and a destroy that both clean up")
    void cleanedUpTwice() {
        assertCaught(second, RemovalSearch.class);
    }
}
