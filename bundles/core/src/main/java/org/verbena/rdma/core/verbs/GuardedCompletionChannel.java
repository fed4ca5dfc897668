package org.verbena.rdma.core.verbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.guard.Gate;

/**
 * A completion channel. Nothing of it is at the provider.
 *
 * <p>Upcalls push queues with an event onto {@code arrived}, a stack without a lock, and release a permit for each event;
 * neither allocates nor blocks. Who waits takes a permit, and then an event under {@code taking}, which guards
 * {@code first} and {@code last}: the list that the stack is moved to, oldest first. A permit may turn out to be for an
 * event of a queue that was closed meanwhile; then the wait goes on. When the channel is over, {@code over} is set and
 * enough permits are released for all who wait.
 */
final class GuardedCompletionChannel extends GuardedObject implements CompletionChannel {
    private static final int ALL = 1 << 30;
    private static final VarHandle ARRIVED;

    static {
        try {
            ARRIVED =
                    MethodHandles.lookup().findVarHandle(GuardedCompletionChannel.class, "arrived", QueueEvents.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Semaphore permits = new Semaphore(0);
    private final ReentrantLock taking = new ReentrantLock();
    private volatile QueueEvents arrived;
    private QueueEvents first;
    private QueueEvents last;
    private final AtomicBoolean over = new AtomicBoolean();

    GuardedCompletionChannel(VerbsHome home, VerbsOwner owner, RdmaDevice view) {
        super(home, Kind.COMPLETION_CHANNEL, owner, view, List.of());
    }

    @Override
    Gate gate() {
        return null;
    }

    @Override
    void create() {
        // needs nothing of the provider
    }

    @Override
    boolean awaitUnused(long deadlineNanos, BooleanSupplier giveUp) {
        return true;
    }

    @Override
    void release() {
        // nothing is at the provider
    }

    @Override
    void stopped() {
        end();
    }

    @Override
    void settled() {
        end();
    }

    private void end() {
        if (over.compareAndSet(false, true)) {
            permits.release(ALL);
        }
    }

    /** Takes one more event of a queue. */
    void raise(QueueEvents events, boolean first) {
        if (first) {
            QueueEvents top;
            do {
                top = arrived;
                events.next = top;
            } while (!ARRIVED.compareAndSet(this, top, events));
        }
        permits.release();
    }

    /** Lets go of the events of queues that are closed. */
    void forget() {
        taking.lock();
        try {
            moveArrived();
            QueueEvents events = first;
            first = null;
            last = null;
            while (events != null) {
                QueueEvents following = events.next;
                events.next = null;
                if (events.queue().isLeft()) {
                    append(events);
                }
                events = following;
            }
        } finally {
            taking.unlock();
        }
    }

    @Override
    public CompletionQueue await(Duration timeout) throws InterruptedException, RdmaException {
        long left = nanos(timeout);
        long deadline = System.nanoTime() + left;
        while (true) {
            if (over.get()) {
                return takeLast();
            }
            if (!permits.tryAcquire(Math.max(0, left), TimeUnit.NANOSECONDS)) {
                return null;
            }
            CompletionQueue queue = over.get() ? null : take();
            if (queue != null) {
                return queue;
            }
            left = deadline - System.nanoTime();
        }
    }

    private static long nanos(Duration timeout) {
        try {
            return Math.max(0, Math.min(timeout.toNanos(), Long.MAX_VALUE / 2));
        } catch (ArithmeticException e) {
            return timeout.isNegative() ? 0 : Long.MAX_VALUE / 2;
        }
    }

    private CompletionQueue takeLast() throws RdmaException {
        CompletionQueue queue = fate == Fate.REMOVED ? take() : null;
        if (queue == null) {
            throw refusal();
        }
        return queue;
    }

    private CompletionQueue take() {
        taking.lock();
        try {
            moveArrived();
            while (first != null) {
                QueueEvents events = first;
                first = events.next;
                events.next = null;
                if (first == null) {
                    last = null;
                }
                if (!events.queue().isLeft()) {
                    continue;
                }
                if (!events.take()) {
                    append(events);
                }
                return events.queue();
            }
            return null;
        } finally {
            taking.unlock();
        }
    }

    private void moveArrived() {
        QueueEvents top = (QueueEvents) ARRIVED.getAndSet(this, null);
        QueueEvents reversed = null;
        while (top != null) {
            QueueEvents below = top.next;
            top.next = reversed;
            reversed = top;
            top = below;
        }
        while (reversed != null) {
            QueueEvents following = reversed.next;
            reversed.next = null;
            append(reversed);
            reversed = following;
        }
    }

    private void append(QueueEvents events) {
        if (last == null) {
            first = events;
        } else {
            last.next = events;
        }
        last = events;
    }
}
