package org.verbena.rdma.provider.disni.verbs;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.disni.ConnectionNatives;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.provider.disni.natives.Outcome;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.QueuePairResources;
import org.verbena.rdma.spi.ReceiveRequest;
import org.verbena.rdma.spi.SendRequest;

/**
 * A queue pair. It belongs to no id of librdmacm; its endpoint moves it.
 *
 * <p>{@code lock} guards the state against moves by the event thread while core closes; it is held during native calls
 * that change the state, which do not wait. Posting reads the state without it.
 */
public final class DisniQueuePair implements ProviderQueuePair {
    private static final Logger LOG = LoggerFactory.getLogger(DisniQueuePair.class);
    /** How long a device may take to flush before its work is flushed here. */
    private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** How long nothing may come before sends that report nothing are taken as done. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final VerbsResources resources;
    private final VerbsNatives natives;
    private final long handle;
    private final int number;
    private final DisniCompletionQueue sendCompletions;
    private final DisniCompletionQueue receiveCompletions;
    private final SendQueue sends;
    private final int sendKey;
    /** {@code null} with a shared receive queue. */
    private final ReceiveQueue receives;

    private final int receiveKey;
    private final ReentrantLock lock = new ReentrantLock();
    private final Runnable beforeClose;
    private volatile QueuePairState state = QueuePairState.INITIALIZED;

    private DisniQueuePair(
            VerbsResources resources,
            long handle,
            int number,
            QueuePairResources objects,
            QueuePairConfiguration configuration,
            Runnable beforeClose)
            throws RdmaException {
        this.resources = resources;
        this.beforeClose = beforeClose;
        this.natives = resources.natives();
        this.handle = handle;
        this.number = number;
        sendCompletions = (DisniCompletionQueue) objects.sendCompletionQueue();
        receiveCompletions = (DisniCompletionQueue) objects.receiveCompletionQueue();
        sends = new SendQueue(natives, configuration.maxSends(), configuration.maxSendSegments());
        sendKey = resources.workQueues().add(sends);
        if (objects.sharedReceiveQueue() != null) {
            receives = null;
            receiveKey = 0;
            return;
        }
        receives = new ReceiveQueue(
                natives,
                configuration.maxReceives(),
                configuration.maxReceiveSegments(),
                (id, segments, count) -> natives.postReceive(handle, id, segments, count));
        try {
            receiveKey = resources.workQueues().add(receives);
        } catch (RdmaException full) {
            resources.workQueues().remove(sendKey);
            throw full;
        }
    }

    /**
     * Makes a queue pair, ready for receives to be posted.
     *
     * @param resources of the device
     * @param connections move it
     * @param id the id of librdmacm that it is for
     * @param objects what it is made of
     * @param configuration the sizes
     * @param beforeClose returns when nobody connects it any more: a queue pair that the kernel is connecting is destroyed
     *     when it has given up
     * @return a new queue pair
     * @throws RdmaException if the device refuses
     */
    public static DisniQueuePair create(
            VerbsResources resources,
            ConnectionNatives connections,
            long id,
            QueuePairResources objects,
            QueuePairConfiguration configuration,
            Runnable beforeClose)
            throws RdmaException {
        VerbsNatives natives = resources.natives();
        boolean shared = objects.sharedReceiveQueue() != null;
        int[] sizes = new int[VerbsNatives.QP_SIZES];
        sizes[VerbsNatives.QP_SENDS] = configuration.maxSends();
        sizes[VerbsNatives.QP_RECEIVES] = shared ? 0 : Math.max(1, configuration.maxReceives());
        sizes[VerbsNatives.QP_SEND_SEGMENTS] = Math.max(1, configuration.maxSendSegments());
        sizes[VerbsNatives.QP_RECEIVE_SEGMENTS] = shared ? 0 : Math.max(1, configuration.maxReceiveSegments());
        sizes[VerbsNatives.QP_INLINE] = configuration.maxInlineData();
        long handle = Outcome.check(
                natives.createQueuePair(
                        ((DisniProtectionDomain) objects.protectionDomain()).handle(),
                        ((DisniCompletionQueue) objects.sendCompletionQueue()).handle(),
                        ((DisniCompletionQueue) objects.receiveCompletionQueue()).handle(),
                        shared ? ((DisniSharedReceiveQueue) objects.sharedReceiveQueue()).handle() : 0,
                        sizes),
                "making a queue pair for " + configuration.maxSends() + " sends and " + configuration.maxReceives()
                        + " receives");
        DisniQueuePair made = null;
        try {
            Outcome.check(connections.initialize(id, handle), "initializing a queue pair");
            made = new DisniQueuePair(
                    resources, handle, sizes[VerbsNatives.QP_NUMBER], objects, configuration, beforeClose);
            return made;
        } finally {
            if (made == null) {
                natives.destroyQueuePair(handle);
            }
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairState state() {
        lock.lock();
        try {
            if (state == QueuePairState.READY && isErrorAtDevice()) {
                state = QueuePairState.ERROR;
            }
            return state;
        } finally {
            lock.unlock();
        }
    }

    /** Call with the lock, or where the queue pair is not closed meanwhile. */
    private boolean isErrorAtDevice() {
        int found = natives.queuePairState(handle);
        return found == NativeNumbers.STATE_ERROR || found == NativeNumbers.STATE_SEND_ERROR;
    }

    /**
     * Moves to where data is carried.
     *
     * @param connections move it
     * @param id the id of librdmacm that it is for
     * @param responderResources how many reads of the peer to serve, or negative for what was agreed
     * @param initiatorDepth how many reads to start, or negative for what was agreed
     * @throws RdmaException if the device refuses, or the queue pair is in error or closed
     */
    public void ready(ConnectionNatives connections, long id, int responderResources, int initiatorDepth)
            throws RdmaException {
        lock.lock();
        try {
            if (state != QueuePairState.INITIALIZED) {
                throw new RdmaException(
                        RdmaError.NOT_CONNECTED, "queue pair " + number + " is in state " + state + ": make another");
            }
            Outcome.check(connections.ready(id, handle, responderResources, initiatorDepth), "connecting a queue pair");
            state = QueuePairState.READY;
        } finally {
            lock.unlock();
        }
    }

    /** The kernel has moved it to where data is carried. */
    public void becameReady() {
        lock.lock();
        try {
            if (state == QueuePairState.INITIALIZED) {
                state = QueuePairState.READY;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void fail() throws RdmaException {
        lock.lock();
        try {
            if (state == QueuePairState.CLOSED) {
                return;
            }
            // Also where it is in error already: it may be so at the device alone.
            Outcome.check(natives.failQueuePair(handle), "failing queue pair " + number);
            state = QueuePairState.ERROR;
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #fail()}, for who cannot help it. */
    public void failQuietly() {
        try {
            fail();
        } catch (RdmaException broken) {
            LOG.debug("queue pair {} cannot be moved to error", number, broken);
        }
    }

    @Override
    public void postSend(SendRequest request) throws RdmaException {
        QueuePairState now = state;
        if (now == QueuePairState.INITIALIZED || now == QueuePairState.CLOSED) {
            throw new IllegalStateException("queue pair " + number + " is in state " + now + ": connect it first");
        }
        if (now == QueuePairState.ERROR) {
            flushed(request);
            return;
        }
        int result = sends.post(handle, sendKey, request);
        if (result != 0) {
            WorkCompletionStatus status = refused(result, "send");
            sendCompletions.add(request.workRequestId(), status, NativeNumbers.completed(request.operation()), number);
        }
    }

    private void flushed(SendRequest request) {
        sendCompletions.add(
                request.workRequestId(),
                WorkCompletionStatus.FLUSHED,
                NativeNumbers.completed(request.operation()),
                number);
    }

    @Override
    public void postReceive(ReceiveRequest request) throws RdmaException {
        if (receives == null) {
            throw new IllegalStateException("queue pair " + number + " has a shared receive queue: post there");
        }
        QueuePairState now = state;
        if (now == QueuePairState.ERROR || now == QueuePairState.CLOSED) {
            receiveCompletions.add(
                    request.workRequestId(), WorkCompletionStatus.FLUSHED, WorkCompletionOperation.RECEIVE, number);
            return;
        }
        int result = receives.post(receiveKey, request);
        if (result != 0) {
            WorkCompletionStatus status = refused(result, "receive");
            receiveCompletions.add(request.workRequestId(), status, WorkCompletionOperation.RECEIVE, number);
        }
    }

    /**
     * The device does not take a request: throws if there is no room, else moves to error and returns how the request
     * ends. It is flushed unless the device says that the queue pair was fine, which some devices never do.
     */
    private WorkCompletionStatus refused(int result, String what) throws RdmaException {
        if (Outcome.error(result) == RdmaError.NO_MEMORY) {
            throw new RdmaException(
                    RdmaError.NO_MEMORY, "the device has no room for a " + what + " now: poll completions first");
        }
        int found = natives.queuePairState(handle);
        boolean fine = found == NativeNumbers.STATE_INITIALIZED || found == NativeNumbers.STATE_READY;
        LOG.debug("the device has refused a {} on queue pair {}: error {} state {}", what, number, -result, found);
        failQuietly();
        return fine ? WorkCompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR : WorkCompletionStatus.FLUSHED;
    }

    @Override
    public boolean hasOutstandingWork() {
        if (isDrained()) {
            return false;
        }
        takeCompletions();
        return !isDrained();
    }

    private boolean isDrained() {
        return sends.isEmpty() && (receives == null || receives.isEmpty());
    }

    private boolean takeCompletions() {
        boolean some = sendCompletions.drain();
        return receiveCompletions != sendCompletions && receiveCompletions.drain() || some;
    }

    @Override
    public void close() {
        beforeClose.run();
        failQuietly();
        lock.lock();
        try {
            state = QueuePairState.CLOSED;
        } finally {
            lock.unlock();
        }
        awaitFlush();
        int result = natives.destroyQueuePair(handle);
        if (result != 0) {
            LOG.warn(
                    "queue pair {} could not be destroyed: {}",
                    number,
                    Outcome.error(result).sentence());
        }
        takeCompletions();
        sendCompletions.flush(sends, number);
        if (receives != null) {
            receiveCompletions.flush(receives, number);
            resources.workQueues().remove(receiveKey);
        }
        resources.workQueues().remove(sendKey);
    }

    /**
     * Takes what the device flushes, since some devices lose the completions of a queue pair that is destroyed. A device
     * that is slow or broken is not waited for for long.
     */
    private void awaitFlush() {
        long start = System.nanoTime();
        long last = start;
        while (true) {
            boolean some = takeCompletions();
            if (isDrained()) {
                return;
            }
            long now = System.nanoTime();
            if (some) {
                last = now;
            }
            boolean reports = sends.hasSignaled() || receives != null && !receives.isEmpty();
            if (now - start > FLUSH_NANOS || !reports && now - last > QUIET_NANOS) {
                return;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
