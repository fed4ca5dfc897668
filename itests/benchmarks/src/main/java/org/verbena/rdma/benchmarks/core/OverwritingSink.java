package org.verbena.rdma.benchmarks.core;

import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.spi.CompletionSink;

/** Keeps the last completion. */
final class OverwritingSink implements CompletionSink {
    private long workRequestId;
    private WorkCompletionStatus status;
    private WorkCompletionOperation operation;
    private long byteCount;
    private int queuePairNumber;
    private int flags;
    private int keyOrImmediate;
    private int vendorError;

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
        this.workRequestId = workRequestId;
        this.status = status;
        this.operation = operation;
        this.byteCount = byteCount;
        this.queuePairNumber = queuePairNumber;
        this.flags = flags;
        this.keyOrImmediate = keyOrImmediate;
        this.vendorError = vendorError;
    }

    @Override
    public String toString() {
        return workRequestId + " " + status + " " + operation + " " + byteCount + " " + queuePairNumber + " " + flags
                + " " + keyOrImmediate + " " + vendorError;
    }
}
