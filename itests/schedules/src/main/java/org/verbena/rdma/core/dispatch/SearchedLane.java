package org.verbena.rdma.core.dispatch;

import org.verbena.rdma.core.recording.Recorder;
import org.verbena.rdma.itests.schedules.StartedThreads;

/** A lane that is one thread wide, whose workers the search can follow. No time passes: nobody looks after it again. */
public final class SearchedLane {
    private static final Dispatcher DISPATCHER = new Dispatcher(() -> 1, () -> Long.MAX_VALUE, Recorder.NONE);

    static {
        DISPATCHER.close();
    }

    private SearchedLane() {}

    /**
     * Makes one.
     *
     * @param threads where its workers run
     * @return a new lane
     */
    public static Lane on(StartedThreads threads) {
        return new Lane(
                "consumer", DISPATCHER, work -> threads.start(DispatcherThread.make(DISPATCHER, work, "worker")));
    }
}
