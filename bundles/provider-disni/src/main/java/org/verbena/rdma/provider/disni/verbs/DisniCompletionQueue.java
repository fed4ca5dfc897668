package org.verbena.rdma.provider.disni.verbs;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.provider.disni.natives.Outcome;
import org.verbena.rdma.provider.disni.upcalls.UpcallGate;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.ProviderCompletionQueue;

/**
 * A completion queue. What is taken from the device goes through a ring of ours, since a queue pair that is closed takes
 * its completions out of the device first, and since what is posted after an error is flushed here.
 *
 * <p>{@code lock} guards the ring, the record buffer and whether notification was asked for. It is held while the device
 * is polled, which never waits, so that completions are taken note of in order; it is released before core is called.
 */
public final class DisniCompletionQueue implements ProviderCompletionQueue {
    private static final Logger LOG = LoggerFactory.getLogger(DisniCompletionQueue.class);
    private static final int STATUS = 8;
    private static final int OPERATION = 12;
    private static final int BYTE_COUNT = 16;
    private static final int QUEUE_PAIR = 20;
    private static final int FLAGS = 24;
    private static final int IMMEDIATE_OR_KEY = 28;
    private static final int VENDOR_ERROR = 32;

    private final VerbsResources resources;
    private final VerbsNatives natives;
    private final long token;
    private final long handle;
    private final int entries;
    private final CompletionUpcalls upcalls;
    private final UpcallGate gate = new UpcallGate();
    private final ReentrantLock lock = new ReentrantLock();
    private final NativeBuffer records;
    private final Completions completions;
    private boolean asked;

    private DisniCompletionQueue(
            VerbsResources resources, long token, long handle, int entries, CompletionUpcalls upcalls) {
        this.resources = resources;
        this.natives = resources.natives();
        this.token = token;
        this.handle = handle;
        this.entries = entries;
        this.upcalls = upcalls;
        records = new NativeBuffer(natives, VerbsNatives.MAX_POLL * VerbsNatives.COMPLETION_BYTES);
        completions = new Completions(entries + VerbsNatives.MAX_POLL);
    }

    static DisniCompletionQueue create(VerbsResources resources, int entries, CompletionUpcalls upcalls)
            throws RdmaException {
        VerbsNatives natives = resources.natives();
        long token = resources.completionEvents().newToken();
        int[] made = new int[1];
        long handle = Outcome.check(
                natives.createCompletionQueue(resources.context(), entries, token, resources.completionChannel(), made),
                "making a completion queue of " + entries + " entries");
        DisniCompletionQueue queue = new DisniCompletionQueue(resources, token, handle, made[0], upcalls);
        resources.completionEvents().add(token, queue);
        return queue;
    }

    long handle() {
        return handle;
    }

    @Override
    public int entries() {
        return entries;
    }

    @Override
    public int poll(CompletionSink sink, int max) throws RdmaException {
        int taken = 0;
        while (taken < max) {
            long id;
            long byteCount;
            long kind;
            int keyOrImmediate;
            int vendorError;
            lock.lock();
            try {
                if (completions.count() == 0) {
                    fill();
                    if (completions.count() == 0) {
                        break;
                    }
                }
                id = completions.id();
                byteCount = completions.byteCount();
                kind = completions.kind();
                keyOrImmediate = completions.keyOrImmediate();
                vendorError = completions.vendorError();
                completions.removeOldest();
            } finally {
                lock.unlock();
            }
            Completions.tell(sink, id, byteCount, kind, keyOrImmediate, vendorError);
            taken++;
        }
        return taken;
    }

    @Override
    public void requestNotification(boolean solicitedOnly) throws RdmaException {
        lock.lock();
        try {
            asked = true;
        } finally {
            lock.unlock();
        }
        Outcome.check(natives.requestNotification(handle, solicitedOnly), "asking for a completion event");
    }

    @Override
    public void close() {
        resources.completionEvents().remove(token);
        gate.close();
        int result = natives.destroyCompletionQueue(handle);
        if (result != 0) {
            LOG.warn(
                    "a completion queue could not be destroyed: {}",
                    Outcome.error(result).sentence());
        }
    }

    /** The device, or we, have something for who has asked for it. On the event thread. */
    void event() {
        boolean tell;
        lock.lock();
        try {
            tell = asked;
            asked = false;
        } finally {
            lock.unlock();
        }
        if (tell && gate.enter()) {
            try {
                upcalls.completionEvent();
            } finally {
                gate.leave();
            }
        }
    }

    /** Takes all that the device has; a device that has failed has nothing. Returns whether there was something. */
    boolean drain() {
        boolean some = false;
        lock.lock();
        try {
            int before;
            do {
                before = completions.count();
                fill();
                some |= completions.count() != before;
            } while (completions.count() != before);
        } catch (RdmaException broken) {
            LOG.debug("a completion queue cannot be polled any more", broken);
        } finally {
            lock.unlock();
        }
        return some;
    }

    /** Adds a completion of our own, behind what the device has. */
    void add(long workRequestId, WorkCompletionStatus status, WorkCompletionOperation operation, int queuePairNumber) {
        drain();
        lock.lock();
        try {
            completions.add(workRequestId, status, operation, 0, queuePairNumber, 0, 0, 0);
        } finally {
            lock.unlock();
        }
        tellLater();
    }

    /** Adds completions of our own for what is outstanding in a send queue. */
    void flush(SendQueue sends, int queuePairNumber) {
        lock.lock();
        try {
            sends.flush(queuePairNumber, completions);
        } finally {
            lock.unlock();
        }
        tellLater();
    }

    /** Adds completions of our own for what is outstanding in a receive queue. */
    void flush(ReceiveQueue receives, int queuePairNumber) {
        lock.lock();
        try {
            receives.flush(queuePairNumber, completions);
        } finally {
            lock.unlock();
        }
        tellLater();
    }

    private void tellLater() {
        resources.completionThread().execute(this::event);
    }

    /** Call with the lock. */
    private void fill() throws RdmaException {
        int count = Outcome.check(
                natives.poll(handle, records.address(), VerbsNatives.MAX_POLL), "polling a completion queue");
        ByteBuffer bytes = records.bytes();
        for (int i = 0; i < count; i++) {
            int at = i * VerbsNatives.COMPLETION_BYTES;
            long number = bytes.getLong(at);
            WorkQueue queue = resources.workQueues().find(number);
            if (queue != null) {
                queue.done(
                        WorkQueues.slot(number),
                        NativeNumbers.status(bytes.getInt(at + STATUS)),
                        bytes.getInt(at + OPERATION),
                        bytes.getInt(at + BYTE_COUNT),
                        bytes.getInt(at + QUEUE_PAIR),
                        bytes.getInt(at + FLAGS),
                        bytes.getInt(at + IMMEDIATE_OR_KEY),
                        bytes.getInt(at + VENDOR_ERROR),
                        completions);
            }
        }
    }
}
