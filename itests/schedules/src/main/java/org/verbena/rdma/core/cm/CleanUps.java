package org.verbena.rdma.core.cm;

import java.util.concurrent.atomic.AtomicInteger;

/** Cleans up after an id, and counts how often. */
final class CleanUps {
    private final IdState state;
    private final AtomicInteger count = new AtomicInteger();

    CleanUps(IdState state) {
        this.state = state;
    }

    void after(IdState.After after) {
        if (after == IdState.After.CLEAN_UP) {
            count.incrementAndGet();
            state.finish();
        }
    }

    int count() {
        return count.get();
    }
}
