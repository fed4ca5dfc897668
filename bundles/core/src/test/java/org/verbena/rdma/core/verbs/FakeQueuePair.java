package org.verbena.rdma.core.verbs;

import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.QueuePairResources;
import org.verbena.rdma.spi.ReceiveRequest;
import org.verbena.rdma.spi.SendRequest;

/**
 * A queue pair of the fake provider. What is posted is outstanding until the test completes it, or until it is flushed; all
 * of it completes on the queue for sends.
 */
final class FakeQueuePair extends FakeObject implements ProviderQueuePair {
    private final int number;
    private final FakeCompletionQueue completions;
    private final long[] outstanding;
    private int head;
    private int size;
    private QueuePairState state = QueuePairState.READY;

    /** The last request, as the provider has read it. */
    volatile String lastPost = "";

    FakeQueuePair(FakeDevice device, QueuePairResources resources, QueuePairConfiguration configuration) {
        super(device, "queue pair");
        number = device.nextNumber();
        completions = (FakeCompletionQueue) resources.sendCompletionQueue();
        outstanding = new long[configuration.maxSends() + configuration.maxReceives()];
    }

    synchronized void become(QueuePairState next) {
        state = next;
    }

    /** Completes the oldest outstanding work. */
    void complete() {
        long id;
        synchronized (this) {
            id = take();
        }
        completions.add(id, number, WorkCompletionStatus.SUCCESS);
    }

    /** Completes the oldest outstanding work, if there is any. */
    synchronized void completeIfAny() {
        if (size > 0) {
            completions.add(take(), number, WorkCompletionStatus.SUCCESS);
        }
    }

    private long take() {
        long id = outstanding[head];
        head = (head + 1) % outstanding.length;
        size--;
        return id;
    }

    private synchronized void flush() {
        while (size > 0) {
            completions.add(take(), number, WorkCompletionStatus.FLUSHED);
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public synchronized QueuePairState state() {
        begin("state");
        try {
            device.hook("state");
            return state;
        } finally {
            end("state");
        }
    }

    @Override
    public synchronized boolean hasOutstandingWork() {
        return size > 0;
    }

    @Override
    public void postSend(SendRequest request) throws RdmaException {
        begin("postSend");
        beginRegions(request);
        try {
            device.checkedHook("postSend");
            post(request.workRequestId());
        } finally {
            endRegions(request);
            end("postSend");
        }
    }

    @Override
    public void postReceive(ReceiveRequest request) throws RdmaException {
        begin("postReceive");
        beginRegions(request);
        try {
            device.checkedHook("postReceive");
            post(request.workRequestId());
        } finally {
            endRegions(request);
            end("postReceive");
        }
    }

    private synchronized void post(long id) throws RdmaException {
        if (size == outstanding.length) {
            throw FakeDevice.noMemory();
        }
        outstanding[(head + size) % outstanding.length] = id;
        size++;
        if (state == QueuePairState.ERROR) {
            flush();
        }
    }

    /** Begins the use of the regions that a request names. */
    static void beginRegions(ReceiveRequest request) {
        for (int i = 0; i < request.segmentCount(); i++) {
            ((FakeObject) request.region(i)).begin("use by a request");
        }
    }

    /** Ends it. */
    static void endRegions(ReceiveRequest request) {
        for (int i = 0; i < request.segmentCount(); i++) {
            ((FakeObject) request.region(i)).end("use by a request");
        }
    }

    @Override
    public void fail() throws RdmaException {
        begin("fail");
        try {
            device.checkedHook("fail");
            become(QueuePairState.ERROR);
            flush();
        } finally {
            end("fail");
        }
    }

    @Override
    public void close() {
        flush();
        closing();
    }
}
