package org.verbena.rdma.provider.loopback.verbs;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.loopback.schedule.Timer;
import org.verbena.rdma.spi.CounterSink;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.ReceiveRequest;
import org.verbena.rdma.spi.SendRequest;

/**
 * A reliable connected queue pair.
 *
 * <p>One thread at a time carries out the send queue ({@code carrying}); it moves the bytes into the peer's memory and
 * is the only one that may be inside of the peer ({@code serving} there). What it finds to do while another thread
 * carries is left to that thread ({@code again}).
 *
 * <p>{@code lock} guards all fields that change. It is never held while bytes are moved, while the peer or the connection
 * is called, or while a completion is put; only a connection takes its own lock before this one.
 */
public final class LoopbackQueuePair implements ProviderQueuePair {
    private final VerbsDevice device;
    private final int number;
    private final LoopbackCompletionQueue sendCompletionQueue;
    private final LoopbackCompletionQueue receiveCompletionQueue;
    private final ReceiveQueue receives;
    private final boolean sharesReceives;
    private final Requester requester;
    private final Responder responder;
    private final Runnable progress = this::progress;
    private final OperationCounters counters = new OperationCounters();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition quiet = lock.newCondition();
    private final SendQueue sends;
    private volatile QueuePairState state = QueuePairState.INITIALIZED;
    private LoopbackQueuePair peer;
    private QueuePairLink link;
    private QueuePairTerms terms;
    private boolean mayRead;
    private boolean carrying;
    private boolean again;
    private boolean serving;
    /** The oldest send waits for a receive of the peer. */
    private boolean stalled;
    /** It has waited long enough. */
    private boolean givenUp;

    private Timer.Alarm patience;
    private Runnable whenSent;
    private long whenSentUpTo;

    LoopbackQueuePair(VerbsDevice device, int number, VerbsResources resources, QueuePairConfiguration configuration) {
        this.device = device;
        this.number = number;
        this.sendCompletionQueue = resources.sendCompletionQueue();
        this.receiveCompletionQueue = resources.receiveCompletionQueue();
        this.sharesReceives = resources.sharedReceiveQueue() != null;
        this.receives = sharesReceives
                ? resources.sharedReceiveQueue().receives()
                : new ReceiveQueue(configuration.maxReceives(), configuration.maxReceiveSegments());
        LoopbackProtectionDomain domain = resources.protectionDomain();
        this.sends = new SendQueue(
                configuration.maxSends(), configuration.maxSendSegments(), configuration.maxInlineData(), domain);
        this.requester = new Requester(
                this,
                domain,
                configuration.maxSendSegments(),
                device.attributes().maxMessageSize());
        this.responder = new Responder(domain, receives, receiveCompletionQueue, number);
        sendCompletionQueue.attach(this);
        if (receiveCompletionQueue != sendCompletionQueue) {
            receiveCompletionQueue.attach(this);
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairState state() {
        return state;
    }

    @Override
    public void postSend(SendRequest request) throws RdmaException {
        lock.lock();
        try {
            if (state == QueuePairState.INITIALIZED) {
                throw new IllegalStateException("queue pair " + number + " is not connected yet");
            }
            sends.add(request);
        } finally {
            lock.unlock();
        }
        device.transfers().execute(progress);
    }

    @Override
    public void postReceive(ReceiveRequest request) throws RdmaException {
        receives.post(request);
        if (state != QueuePairState.INITIALIZED && state != QueuePairState.READY) {
            flushReceives();
        }
    }

    @Override
    public boolean hasOutstandingWork() {
        lock.lock();
        try {
            if (!sends.isEmpty()) {
                return true;
            }
        } finally {
            lock.unlock();
        }
        return !sharesReceives && !receives.isEmpty();
    }

    @Override
    public void readCounters(CounterSink sink) {
        counters.tell(sink);
    }

    @Override
    public void fail() {
        toError();
        QueuePairLink connection = link();
        if (connection != null) {
            connection.failed(this);
        }
    }

    @Override
    public void close() {
        toError();
        QueuePairLink connection = link();
        if (connection != null) {
            connection.closing(this);
        }
        // Not by way of the executor, which may be late: what is outstanding has to be flushed by now.
        progress();
        lock.lock();
        try {
            while (carrying || serving) {
                quiet.awaitUninterruptibly();
            }
            state = QueuePairState.CLOSED;
        } finally {
            lock.unlock();
        }
        flushReceives();
        forgetReceivesOfPeer();
        sendCompletionQueue.detach(this);
        receiveCompletionQueue.detach(this);
        device.queuePairClosed(this);
    }

    /**
     * Connects two queue pairs: both or none.
     *
     * @param active the one of the side that has asked for the connection
     * @param activeTerms what holds for it
     * @param passive the one of the side that was asked
     * @param passiveTerms what holds for it
     * @param connection the connection
     * @return {@code false} if one of them cannot be connected any more
     */
    public static boolean connect(
            LoopbackQueuePair active,
            QueuePairTerms activeTerms,
            LoopbackQueuePair passive,
            QueuePairTerms passiveTerms,
            QueuePairLink connection) {
        // Two at a time, always in this order, and a queue pair has one peer in its life: no cycle.
        active.lock.lock();
        passive.lock.lock();
        try {
            if (active.state != QueuePairState.INITIALIZED || passive.state != QueuePairState.INITIALIZED) {
                return false;
            }
            active.join(passive, activeTerms, passiveTerms, connection);
            passive.join(active, passiveTerms, activeTerms, connection);
            return true;
        } finally {
            passive.lock.unlock();
            active.lock.unlock();
        }
    }

    private void join(LoopbackQueuePair other, QueuePairTerms own, QueuePairTerms others, QueuePairLink connection) {
        peer = other;
        link = connection;
        terms = own;
        mayRead = own.initiatorDepth() > 0 && others.responderResources() > 0;
        state = QueuePairState.READY;
        device.counters().established();
    }

    /** Moves to ERROR and flushes; does not tell the connection. Does nothing in ERROR or CLOSED. */
    public void toError() {
        Timer.Alarm alarm;
        lock.lock();
        try {
            if (state == QueuePairState.ERROR || state == QueuePairState.CLOSED) {
                return;
            }
            state = QueuePairState.ERROR;
            alarm = patience;
            patience = null;
        } finally {
            lock.unlock();
        }
        if (alarm != null) {
            alarm.cancel();
        }
        forgetReceivesOfPeer();
        flushReceives();
        device.transfers().execute(progress);
    }

    /**
     * Asks to be told once when all that was posted up to now has been carried out.
     *
     * @param action what to run, at once if that is so now; without a lock
     */
    public void whenSent(Runnable action) {
        lock.lock();
        try {
            if (sends.oldest() != null) {
                whenSent = action;
                whenSentUpTo = sends.posted();
                return;
            }
        } finally {
            lock.unlock();
        }
        action.run();
    }

    /** The peer has posted a receive. */
    void resume() {
        lock.lock();
        try {
            stalled = false;
            if (carrying) {
                again = true;
                return;
            }
        } finally {
            lock.unlock();
        }
        device.transfers().execute(progress);
    }

    /** Carries out the send queue, unless another thread does: that one then looks again. */
    private void progress() {
        lock.lock();
        try {
            if (carrying) {
                again = true;
                return;
            }
            carrying = true;
        } finally {
            lock.unlock();
        }
        SendEntry send = next();
        while (send != null) {
            if (state == QueuePairState.READY) {
                carryOut(send);
            } else {
                done(send, WorkCompletionStatus.FLUSHED);
            }
            send = next();
        }
    }

    /** Returns what to carry out next, or {@code null} after this thread has ceased to carry. */
    private SendEntry next() {
        lock.lock();
        try {
            again = false;
            SendEntry send = stalled && state == QueuePairState.READY ? null : sends.oldest();
            if (send == null) {
                carrying = false;
                quiet.signalAll();
            }
            return send;
        } finally {
            lock.unlock();
        }
    }

    private void carryOut(SendEntry send) {
        if (!peer.enter()) {
            // Whoever has taken the peer out of READY tells the connection.
            toError();
            return;
        }
        WorkCompletionStatus status;
        try {
            status = requester.carryOut(send, peer.responder, mayRead);
            if (status == WorkCompletionStatus.SUCCESS) {
                count(send);
            }
        } catch (IndexOutOfBoundsException outsideOfItsRegion) {
            status = WorkCompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR;
        } finally {
            peer.leave();
        }
        if (status == null) {
            stall(send);
        } else {
            done(send, status);
            if (status != WorkCompletionStatus.SUCCESS) {
                fail();
            }
        }
    }

    private void count(SendEntry send) {
        SendOperation operation = send.operation();
        long bytes = send.totalLength();
        counters.out(operation, bytes);
        device.counters().operations().out(operation, bytes);
        peer.counters.in(operation, bytes);
        peer.device.counters().operations().in(operation, bytes);
    }

    /** The peer has no receive: wait for one, within the limit. */
    private void stall(SendEntry send) {
        boolean over;
        lock.lock();
        try {
            over = givenUp || terms.receiverNotReadyRetries() == 0;
            if (!over && !again) {
                stalled = true;
                if (patience == null && terms.receiverNotReadyRetries() < QueuePairTerms.ENDLESS) {
                    long sequence = sends.done();
                    patience = device.timer()
                            .after(
                                    device.receiverNotReadyInterval().multipliedBy(terms.receiverNotReadyRetries()),
                                    () -> giveUp(sequence));
                }
            }
        } finally {
            lock.unlock();
        }
        if (over) {
            done(send, WorkCompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED);
            fail();
        }
    }

    private void giveUp(long sequence) {
        lock.lock();
        try {
            if (sends.done() != sequence || sends.oldest() == null) {
                return;
            }
            givenUp = true;
        } finally {
            lock.unlock();
        }
        resume();
    }

    private void done(SendEntry send, WorkCompletionStatus status) {
        if (send.isSignaled() || status != WorkCompletionStatus.SUCCESS) {
            sendCompletionQueue.put(
                    send.id(),
                    status,
                    operation(send),
                    send.readsRemotely() ? send.totalLength() : 0,
                    number,
                    0,
                    0,
                    false);
        }
        Timer.Alarm alarm;
        Runnable sent = null;
        lock.lock();
        try {
            sends.removeOldest();
            givenUp = false;
            alarm = patience;
            patience = null;
            if (whenSent != null && sends.done() >= whenSentUpTo) {
                sent = whenSent;
                whenSent = null;
            }
        } finally {
            lock.unlock();
        }
        if (alarm != null) {
            alarm.cancel();
        }
        if (sent != null) {
            sent.run();
        }
    }

    /** The peer's sender comes in to move bytes; {@code false} if nothing is taken any more. */
    private boolean enter() {
        lock.lock();
        try {
            if (state != QueuePairState.READY) {
                return false;
            }
            serving = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        boolean flush;
        lock.lock();
        try {
            serving = false;
            quiet.signalAll();
            flush = state != QueuePairState.READY;
        } finally {
            lock.unlock();
        }
        if (flush) {
            flushReceives();
        }
    }

    /** Flushes the receives, behind the one that is being filled. Those of a shared queue stay for others. */
    private void flushReceives() {
        lock.lock();
        try {
            if (sharesReceives || serving) {
                return;
            }
        } finally {
            lock.unlock();
        }
        receives.flush(receiveCompletionQueue, number);
    }

    private QueuePairLink link() {
        lock.lock();
        try {
            return link;
        } finally {
            lock.unlock();
        }
    }

    private void forgetReceivesOfPeer() {
        LoopbackQueuePair other;
        lock.lock();
        try {
            other = peer;
        } finally {
            lock.unlock();
        }
        if (other != null) {
            other.receives.forget(this);
        }
    }

    private static WorkCompletionOperation operation(SendEntry send) {
        return switch (send.operation()) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE -> WorkCompletionOperation.SEND;
            case WRITE, WRITE_WITH_IMMEDIATE -> WorkCompletionOperation.WRITE;
            case READ -> WorkCompletionOperation.READ;
            case COMPARE_AND_SWAP -> WorkCompletionOperation.COMPARE_AND_SWAP;
            case FETCH_AND_ADD -> WorkCompletionOperation.FETCH_AND_ADD;
        };
    }
}
