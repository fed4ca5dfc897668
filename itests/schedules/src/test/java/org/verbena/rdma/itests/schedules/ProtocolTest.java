package org.verbena.rdma.itests.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Lincheck finds no schedule in which a protocol does not hold, nor do many runs on the threads of the machine. */
class ProtocolTest {
    private static final int SCHEDULES = Searches.isLong() ? 10_000 : 500;
    private static final int RUNS = Searches.isLong() ? 40_000 : 2_000;

    private static void check(Protocol protocol) throws Exception {
        ProtocolRun.assumeLincheckSees();
        assertNothingFound(ProtocolRun.of(protocol, "model", SCHEDULES));
    }

    private static void stress(Protocol protocol) throws Exception {
        assertNothingFound(ProtocolRun.of(protocol, "stress", RUNS));
    }

    private static void assertNothingFound(Searches.Ended ended) {
        assertThat(ended.status()).as(ended.output()).isEqualTo(ProtocolSearch.NOTHING_FOUND);
    }

    @Test
    @DisplayName(
            "C5: Lincheck: two producers, a destroyer, and a consumer that destroys its id in a callback and throws")
    void destroy() throws Exception {
        check(Protocol.DESTROY);
    }

    @Test
    @DisplayName("C5: stress: two producers, a destroyer, and a consumer that destroys its id in a callback and throws")
    void destroyStress() throws Exception {
        stress(Protocol.DESTROY);
    }

    @Test
    @DisplayName("C8: Lincheck: removal, a producer and destroy")
    void removal() throws Exception {
        check(Protocol.REMOVAL);
    }

    @Test
    @DisplayName("C8: stress: removal, a producer and destroy")
    void removalStress() throws Exception {
        stress(Protocol.REMOVAL);
    }

    @Test
    @DisplayName("C7: Lincheck: removal and a producer; the consumer takes no notice")
    void removalIgnored() throws Exception {
        check(Protocol.REMOVAL_IGNORED);
    }

    @Test
    @DisplayName("C7: stress: removal and a producer; the consumer takes no notice")
    void removalIgnoredStress() throws Exception {
        stress(Protocol.REMOVAL_IGNORED);
    }

    @Test
    @DisplayName("C9: Lincheck: unregistration, callback, new id, consumer stop, verb call and close")
    void everything() throws Exception {
        check(Protocol.EVERYTHING);
    }

    @Test
    @DisplayName("C9: stress: unregistration, callback, new id, consumer stop, verb call and close")
    void everythingStress() throws Exception {
        stress(Protocol.EVERYTHING);
    }

    @Test
    @DisplayName("C1: Lincheck: three turns from three threads on a lane of width 1")
    void lane() throws Exception {
        check(Protocol.LANE);
    }

    @Test
    @DisplayName("C1: stress: three turns from three threads on a lane of width 1")
    void laneStress() throws Exception {
        stress(Protocol.LANE);
    }

    @Test
    @DisplayName("C9: stress: two devices of one name are offered, plugged, unplugged, looked at and taken away")
    void plugStress() throws Exception {
        // Each run starts and stops a whole core.
        assertNothingFound(ProtocolRun.of(Protocol.PLUG, "stress", RUNS / 20));
    }
}
