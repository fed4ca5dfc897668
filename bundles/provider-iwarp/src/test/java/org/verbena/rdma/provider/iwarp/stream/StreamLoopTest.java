package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.provider.iwarp.loop.EventLoops;

/** What a loop lends to its streams. */
class StreamLoopTest {
    private static final int PEERS = 50;

    private EventLoops loops;
    private StreamLoop loop;

    @BeforeEach
    void start() throws Exception {
        loops = EventLoops.start("test", 1, Duration.ZERO);
        loop = new StreamLoop(loops.next());
    }

    @AfterEach
    void stop() {
        loops.stop();
    }

    @Test
    @DisplayName("however many peers do not read what they have asked for, few large batches are kept for them")
    void fewLargeBatches() {
        List<Batch> lent = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            lent.add(loop.lendBatch(true));
        }

        assertThat(lent).doesNotHaveDuplicates();
        assertThat(lent).filteredOn(Batch::isLarge).hasSizeBetween(1, 4);
        assertThat(loop.lendBatch(true).isLarge()).isFalse();
        List<Batch> large = lent.stream().filter(Batch::isLarge).toList();
        lent.forEach(loop::takeBack);
        assertThat(loop.lendBatch(false).isLarge()).isFalse();
        assertThat(large).contains(loop.lendBatch(true));
    }
}
