package org.verbena.rdma.core.verbs;

import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.ProviderCompletionQueue;

/** A completion queue of the fake provider: a ring that allocates nothing. */
final class FakeCompletionQueue extends FakeObject implements ProviderCompletionQueue {
    private final CompletionUpcalls upcalls;
    private final long[] ids;
    private final int[] queuePairs;
    private final WorkCompletionStatus[] statuses;
    private int head;
    private int size;
    private int armed;
    private boolean overrun;

    FakeCompletionQueue(FakeDevice device, int entries, CompletionUpcalls upcalls) {
        super(device, "completion queue");
        this.upcalls = upcalls;
        ids = new long[entries];
        queuePairs = new int[entries];
        statuses = new WorkCompletionStatus[entries];
    }

    CompletionUpcalls upcalls() {
        return upcalls;
    }

    void add(long id, int queuePair, WorkCompletionStatus status) {
        begin("completion");
        int events;
        synchronized (this) {
            if (size == ids.length) {
                overrun = true;
                end("completion");
                return;
            }
            int at = (head + size) % ids.length;
            ids[at] = id;
            queuePairs[at] = queuePair;
            statuses[at] = status;
            size++;
            events = armed;
            armed = 0;
        }
        end("completion");
        for (int i = 0; i < events; i++) {
            upcalls.completionEvent();
        }
    }

    @Override
    public int entries() {
        return ids.length;
    }

    @Override
    public int poll(CompletionSink sink, int max) throws RdmaException {
        begin("poll");
        try {
            device.checkedHook("poll");
            int taken = pollLocked(sink, max);
            device.checkedHook("polled");
            return taken;
        } finally {
            end("poll");
        }
    }

    private synchronized int pollLocked(CompletionSink sink, int max) throws RdmaException {
        if (overrun) {
            throw new RdmaException(RdmaError.NO_MEMORY, "the completion queue has overflowed");
        }
        int taken = 0;
        for (; taken < max && size > 0; taken++) {
            sink.completion(ids[head], statuses[head], WorkCompletionOperation.SEND, 0, queuePairs[head], 0, 0, 0);
            head = (head + 1) % ids.length;
            size--;
        }
        return taken;
    }

    @Override
    public void requestNotification(boolean solicitedOnly) throws RdmaException {
        begin("requestNotification");
        try {
            device.checkedHook("requestNotification");
            synchronized (this) {
                armed++;
            }
        } finally {
            end("requestNotification");
        }
    }

    @Override
    public void close() {
        closing();
    }
}
