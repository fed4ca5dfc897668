package org.verbena.rdma.provider.loopback.fake;

import java.util.ArrayList;
import java.util.List;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.ProviderCompletionQueue;

/** What was polled. */
public final class Completions implements CompletionSink {
    /** One completion. */
    public record Completion(
            long id,
            WorkCompletionStatus status,
            WorkCompletionOperation operation,
            long byteCount,
            int queuePairNumber,
            int flags,
            int keyOrImmediate) {

        @Override
        public String toString() {
            return id + " " + status + " " + operation;
        }
    }

    private final List<Completion> all = new ArrayList<>();

    private Completions() {}

    /** Polls all that is there. */
    public static List<Completion> of(ProviderCompletionQueue queue) throws RdmaException {
        Completions completions = new Completions();
        queue.poll(completions, Integer.MAX_VALUE);
        return completions.all;
    }

    /** Polls all that is there, each as id, status and operation. */
    public static List<String> named(ProviderCompletionQueue queue) throws RdmaException {
        return of(queue).stream().map(Completion::toString).toList();
    }

    @Override
    public void completion(
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOperation operation,
            long byteCount,
            int queuePairNumber,
            int flags,
            int keyOrImmediate,
            int vendorError) {
        all.add(new Completion(workRequestId, status, operation, byteCount, queuePairNumber, flags, keyOrImmediate));
    }
}
