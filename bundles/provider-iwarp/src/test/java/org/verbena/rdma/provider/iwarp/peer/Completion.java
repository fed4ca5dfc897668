package org.verbena.rdma.provider.iwarp.peer;

import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;

/** A completion as it was polled. */
public record Completion(
        long id,
        WorkCompletionStatus status,
        WorkCompletionOperation operation,
        long bytes,
        int queuePair,
        int flags,
        int key,
        int vendor) {}
