package org.verbena.rdma.examples.mirror;

import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.ProviderCompletionQueue;

/** A ring of completions. All fields are guarded by the lock of the device. */
final class MirrorCompletionQueue implements ProviderCompletionQueue {
    private enum Armed {
        NO,
        SOLICITED,
        ANY
    }

    private final MirrorDevice device;
    private final CompletionUpcalls upcalls;
    private final long[] workRequestIds;
    private final WorkCompletionStatus[] statuses;
    private final WorkCompletionOperation[] operations;
    private final long[] byteCounts;
    private final int[] queuePairs;
    private int first;
    private int count;
    private boolean overflown;
    private Armed armed = Armed.NO;

    MirrorCompletionQueue(MirrorDevice device, int entries, CompletionUpcalls upcalls) {
        this.device = device;
        this.upcalls = upcalls;
        workRequestIds = new long[entries];
        statuses = new WorkCompletionStatus[entries];
        operations = new WorkCompletionOperation[entries];
        byteCounts = new long[entries];
        queuePairs = new int[entries];
    }

    @Override
    public int entries() {
        return workRequestIds.length;
    }

    /** Call with the lock. */
    void add(
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOperation operation,
            long byteCount,
            int queuePair,
            boolean solicited) {
        if (count == entries()) {
            overflown = true;
            return;
        }
        int last = (first + count++) % entries();
        workRequestIds[last] = workRequestId;
        statuses[last] = status;
        operations[last] = operation;
        byteCounts[last] = byteCount;
        queuePairs[last] = queuePair;
        if (armed == Armed.ANY || armed == Armed.SOLICITED && (solicited || status != WorkCompletionStatus.SUCCESS)) {
            armed = Armed.NO;
            device.upcalls().raise(this, upcalls::completionEvent);
        }
    }

    @Override
    public int poll(CompletionSink sink, int max) throws RdmaException {
        synchronized (device.lock) {
            if (overflown) {
                throw new RdmaException(
                        RdmaError.INPUT_OUTPUT, "the completion queue has overflown: make a larger one");
            }
            int taken = Math.min(max, count);
            for (int i = 0; i < taken; i++) {
                sink.completion(
                        workRequestIds[first],
                        statuses[first],
                        operations[first],
                        byteCounts[first],
                        queuePairs[first],
                        0,
                        0,
                        0);
                first = (first + 1) % entries();
                count--;
            }
            return taken;
        }
    }

    @Override
    public void requestNotification(boolean solicitedOnly) {
        synchronized (device.lock) {
            armed = solicitedOnly && armed != Armed.ANY ? Armed.SOLICITED : Armed.ANY;
        }
    }

    @Override
    public void close() {
        device.upcalls().cancel(this);
    }
}
