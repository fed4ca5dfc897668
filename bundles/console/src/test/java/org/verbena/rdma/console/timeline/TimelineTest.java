package org.verbena.rdma.console.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.console.Snapshots;
import org.verbena.rdma.console.timeline.Entry.Kind;
import org.verbena.rdma.monitor.RemovalSnapshot.Step;

class TimelineTest {
    private final Timeline timeline = new Timeline(Clock.fixed(Instant.ofEpochMilli(4_711), ZoneOffset.UTC));

    @Test
    void tellsWhatComesFromWhatChanges() {
        timeline.know(List.of(Snapshots.device("old").number()));
        timeline.deviceUp(Snapshots.device("old"));
        timeline.deviceUp(Snapshots.device("new"));
        timeline.deviceUp(Snapshots.device("new"));

        assertThat(timeline.since(0))
                .extracting(Entry::kind)
                .containsExactly(Kind.DEVICE_CHANGED, Kind.DEVICE_UP, Kind.DEVICE_CHANGED);
    }

    @Test
    void theStepsOfOneRemovalHaveOneNumberAndTheNextRemovalHasAnother() {
        timeline.removalStep(Snapshots.removal("a", Step.MARKED));
        timeline.removalStep(Snapshots.removal("b", Step.MARKED));
        timeline.removalStep(Snapshots.removal("a", Step.DONE));
        timeline.deviceUp(Snapshots.device("a"));
        timeline.removalStep(Snapshots.removal("a", Step.MARKED));

        List<Entry> entries = timeline.since(0);
        assertThat(entries).extracting(Entry::removalNumber).containsExactly(1L, 2L, 1L, 0L, 3L);
        assertThat(entries.get(3).kind()).isEqualTo(Kind.DEVICE_UP);
    }

    @Test
    void whatIsAskedForNextIsOnlyWhatIsNew() {
        timeline.asked("unplug a");
        timeline.failed("no");
        long next = timeline.since(0).get(1).sequence() + 1;

        assertThat(timeline.since(next)).isEmpty();
        timeline.event(Snapshots.id(1, "a", ""), "ESTABLISHED");
        assertThat(timeline.since(next)).singleElement().satisfies(entry -> {
            assertThat(entry.text()).isEqualTo("ESTABLISHED");
            assertThat(entry.millis()).isEqualTo(4_711);
        });
    }

    @Test
    void aFloodOfEventsDoesNotWashTheRemovalAway() {
        timeline.removalStep(Snapshots.removal("a", Step.MARKED));
        for (int i = 0; i < 10_000; i++) {
            timeline.event(Snapshots.id(i, "a", ""), "DEVICE_REMOVAL");
        }

        List<Entry> entries = timeline.since(0);
        assertThat(entries).hasSizeLessThan(1_000);
        assertThat(entries.get(0).kind()).isEqualTo(Kind.REMOVAL_STEP);
        assertThat(entries.get(entries.size() - 1).id().number()).isEqualTo(9_999);
        assertThat(entries).extracting(Entry::sequence).isSorted();
    }
}
