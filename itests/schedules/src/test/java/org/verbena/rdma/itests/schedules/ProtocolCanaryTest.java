package org.verbena.rdma.itests.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Lincheck finds what was broken on purpose, or it is blind; it stops when it has. */
class ProtocolCanaryTest {
    private static final int SCHEDULES = 10_000;

    @BeforeEach
    void lincheckSees() {
        ProtocolRun.assumeLincheckSees();
    }

    private static void assertCaught(Protocol protocol, String what, String name, Break... breaks) throws Exception {
        Searches.Ended ended = ProtocolRun.ofBroken(name, List.of(breaks), protocol, SCHEDULES);
        assertThat(ended.status()).as(ended.output()).isEqualTo(ProtocolSearch.FOUND);
        assertThat(ended.output()).contains(what);
    }

    @Test
    @DisplayName("Lincheck catches a callback that begins after destroy")
    void callbackAfterDestroy() throws Exception {
        assertCaught(
                Protocol.DESTROY,
                "Concurrent test failed",
                "broken-destroy",
                Break.of(
                        "cm/IdState",
                        "if (destroying || call != null || callback != null) {\n            return null;",
                        "if (call != null || callback != null) {\n            return null;"),
                Break.of(
                        "cm/IdState",
                        "        destroying = true;\n        pending.clear();\n",
                        "        destroying = true;\n"));
    }

    @Test
    @DisplayName("Lincheck catches an event after DEVICE_REMOVAL")
    void eventAfterRemoval() throws Exception {
        assertCaught(
                Protocol.REMOVAL_IGNORED,
                "after DEVICE_REMOVAL",
                "broken-removal",
                Break.of("cm/IdState", "return destroying || removing;", "return destroying;"));
    }

    @Test
    @DisplayName("Lincheck catches a removal and a destroy that both clean up")
    void cleanedUpTwice() throws Exception {
        assertCaught(
                Protocol.REMOVAL,
                "cleaned up",
                "broken-clean-up",
                Break.of(
                        "cm/IdState",
                        "if (call == null && callback == null && !cleaning) {",
                        "if (call == null && callback == null) {"));
    }

    @Test
    @DisplayName("Lincheck catches an id made while its session ends, which nobody ends and the end waits for")
    void idThatNobodyEnds() throws Exception {
        assertCaught(
                Protocol.EVERYTHING,
                "The following interleaving leads to the error",
                "broken-session",
                Break.of(
                        "session/Session",
                        "        if (ended) {\n"
                                + "            members.remove(member);\n"
                                + "            ensureOpen();\n"
                                + "        }\n",
                        ""));
    }

    @Test
    @DisplayName("Lincheck catches a lane that loses one of two turns that are queued at a time")
    void lostTurn() throws Exception {
        assertCaught(
                Protocol.LANE,
                "turns 2 have run",
                "broken-lane",
                Break.of(
                        "dispatch/Lane",
                        "        } while (!pushed.compareAndSet(top, turn));\n",
                        "            pushed.set(turn);\n        } while (false);\n"));
    }

    @Test
    @DisplayName("Lincheck catches a worker that retires while a turn comes, and looks no more")
    void workerRetires() throws Exception {
        assertCaught(
                Protocol.LANE,
                "have run, or two at a time",
                "broken-retiring",
                Break.of(
                        "dispatch/Lane",
                        "return pushed.get() == null || now >= dispatcher.width() ||"
                                + " !workers.compareAndSet(now, now + 1);",
                        "return true;"));
    }

    @Test
    @DisplayName("many runs catch a device that is asked while it is being opened")
    void askedWhileItOpens() throws Exception {
        Break noLook = Break.of("device/Device", "if (!following) {", "if (addresses == null) {");
        Searches.Ended ended =
                ProtocolRun.ofBroken("broken-opening", List.of(noLook), Protocol.PLUG, "stress", SCHEDULES);
        assertThat(ended.status()).as(ended.output()).isEqualTo(ProtocolSearch.FOUND);
        assertThat(ended.output()).contains("addresses of a device that is not open");
    }
}
