package org.verbena.rdma.provider.loopback.inspection;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;

/** What happens to calls of one kind. The queues and the volatile fields are safe by themselves. */
final class CallFault {
    private final Queue<Throwable> next = new ConcurrentLinkedQueue<>();
    private final Queue<RdmaError> outcomes = new ConcurrentLinkedQueue<>();
    private volatile Throwable always;
    private volatile LatchHold hold;

    /** Replaces the hold; its threads stay. */
    LatchHold hold(int limit) {
        LatchHold made = new LatchHold(limit);
        hold = made;
        return made;
    }

    void failNext(Throwable failure) {
        next.add(failure);
    }

    void failAlways(Throwable failure) {
        always = failure;
    }

    void failOutcomeOfNext(RdmaError error) {
        outcomes.add(error);
    }

    void clear() {
        next.clear();
        outcomes.clear();
        always = null;
        LatchHold last = hold;
        if (last != null) {
            last.release();
            hold = null;
        }
    }

    void waitForRelease() {
        LatchHold present = hold;
        if (present != null) {
            present.enter();
        }
    }

    /** Throws what the call is to throw, if anything. */
    void strike() throws RdmaException {
        if (always == null && next.isEmpty()) {
            return;
        }
        Throwable first = next.poll();
        Throwable failure = first == null ? always : first;
        if (failure instanceof RdmaException checked) {
            throw checked;
        }
        strikeUnchecked(failure);
    }

    /** The same for a call that throws no checked exception. */
    void strikeUnchecked() {
        strikeUnchecked(next.poll());
    }

    /** Returns what the outcome of the call is to be, or {@code null} for what it is. */
    RdmaError nextOutcome() {
        return outcomes.poll();
    }

    private static void strikeUnchecked(Throwable failure) {
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
    }
}
