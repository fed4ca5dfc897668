package org.verbena.rdma.core.verbs;

import java.util.concurrent.locks.ReentrantLock;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.spi.CompletionSink;

/**
 * The completions that a removal has taken from a provider's queue, kept until the consumer polls them; a ring that grows
 * up to the size of the queue. A lock guards all of it; nothing is called under it.
 */
final class FlushedCompletions implements CompletionSink {
    private static final int SMALLEST = 16;

    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();
    private CompletionTable table;
    private int head;
    private int size;
    private boolean complete;
    private long added;
    private long told;

    FlushedCompletions(int limit) {
        this.limit = limit;
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
        lock.lock();
        try {
            if (size == limit || complete) {
                throw new IllegalStateException("more completions than the queue holds");
            }
            makeRoom();
            table.put(
                    (head + size) % table.capacity(),
                    workRequestId,
                    status,
                    operation,
                    byteCount,
                    queuePairNumber,
                    flags,
                    keyOrImmediate,
                    vendorError);
            size++;
            added++;
        } finally {
            lock.unlock();
        }
    }

    private void makeRoom() {
        if (table == null) {
            table = new CompletionTable(Math.min(SMALLEST, limit));
        } else if (size == table.capacity()) {
            CompletionTable larger = new CompletionTable((int) Math.min(limit, 2L * size));
            for (int i = 0; i < size; i++) {
                table.copy((head + i) % size, larger, i);
            }
            table = larger;
            head = 0;
        }
    }

    /** How many more fit. */
    int room() {
        lock.lock();
        try {
            return complete ? 0 : limit - size;
        } finally {
            lock.unlock();
        }
    }

    /** How many were added so far. */
    long added() {
        lock.lock();
        try {
            return added;
        } finally {
            lock.unlock();
        }
    }

    /** Tells whether something was added since this was asked last. */
    boolean hasNews() {
        lock.lock();
        try {
            boolean news = told != added;
            told = added;
            return news;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is added any more. */
    void complete() {
        lock.lock();
        try {
            complete = true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves completions to where a consumer reads them, oldest first.
     *
     * @return how many; -1 if all are read and none will be added
     */
    int moveTo(PolledCompletions target) {
        lock.lock();
        try {
            if (size == 0) {
                return complete ? -1 : 0;
            }
            while (size > 0 && !target.isFull()) {
                target.add(table, head);
                head = (head + 1) % table.capacity();
                size--;
            }
            return target.count();
        } finally {
            lock.unlock();
        }
    }
}
