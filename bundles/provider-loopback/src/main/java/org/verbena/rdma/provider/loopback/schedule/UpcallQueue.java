package org.verbena.rdma.provider.loopback.schedule;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The upcalls of one object: made by an executor, one at a time, in the order in which they were added, and none once
 * {@link #close()} has returned. Each upcall is a task of its own, so that a test can step through them.
 *
 * <p>{@code lock} guards everything and is never held while an upcall runs or a task is handed to the executor.
 */
public final class UpcallQueue {
    private static final Logger LOG = LoggerFactory.getLogger(UpcallQueue.class);

    private final Executor executor;
    private final Runnable task = this::runOne;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private final Deque<Runnable> pending = new ArrayDeque<>(4);
    private boolean paused;
    private boolean scheduled;
    private boolean closed;
    private Thread running;

    private UpcallQueue(Executor executor, boolean paused) {
        this.executor = executor;
        this.paused = paused;
    }

    /**
     * Makes a queue that runs.
     *
     * @param executor makes the upcalls, never on the stack of {@link #add}
     */
    public UpcallQueue(Executor executor) {
        this(executor, false);
    }

    /**
     * Makes a queue that keeps what is added until it is resumed.
     *
     * @param executor makes the upcalls, never on the stack of {@link #add}
     * @return a new queue
     */
    public static UpcallQueue paused(Executor executor) {
        return new UpcallQueue(executor, true);
    }

    /**
     * Adds an upcall. Does nothing after close.
     *
     * @param upcall what to run
     */
    public void add(Runnable upcall) {
        boolean start;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            pending.add(upcall);
            start = claim();
        } finally {
            lock.unlock();
        }
        if (start) {
            schedule();
        }
    }

    /** Starts a queue that was made paused. */
    public void resume() {
        boolean start;
        lock.lock();
        try {
            paused = false;
            start = claim();
        } finally {
            lock.unlock();
        }
        if (start) {
            schedule();
        }
    }

    /** Discards what is pending and waits for the upcall that runs, unless that is the caller itself. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            pending.clear();
            while (running != null && running != Thread.currentThread()) {
                idle.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Call with the lock: tells whether a task has to be handed to the executor. */
    private boolean claim() {
        if (paused || scheduled || pending.isEmpty()) {
            return false;
        }
        scheduled = true;
        return true;
    }

    private void schedule() {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException networkIsClosed) {
            LOG.debug("an upcall is not made any more", networkIsClosed);
        }
    }

    private void runOne() {
        Runnable upcall;
        lock.lock();
        try {
            upcall = pending.poll();
            if (upcall == null) {
                scheduled = false;
                return;
            }
            running = Thread.currentThread();
        } finally {
            lock.unlock();
        }
        try {
            upcall.run();
        } catch (RuntimeException | Error failure) {
            LOG.error("an upcall has thrown", failure);
        } finally {
            finished();
        }
    }

    private void finished() {
        boolean start;
        lock.lock();
        try {
            running = null;
            idle.signalAll();
            scheduled = false;
            start = claim();
        } finally {
            lock.unlock();
        }
        if (start) {
            schedule();
        }
    }
}
