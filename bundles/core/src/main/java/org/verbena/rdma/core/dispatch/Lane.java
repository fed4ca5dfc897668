package org.verbena.rdma.core.dispatch;

import java.util.concurrent.Executor;

/**
 * The share that one consumer bundle has of the dispatcher: its turns wait here in order and run on at most
 * {@code width} threads, so that no bundle's slow callback delays another bundle, nor its own other ids before
 * {@code width} of them are blocked (C13).
 *
 * <p>The queue, its length and the number of workers are guarded by this object's monitor, which is held for a few
 * instructions and never while anything outside of this class is called.
 */
public final class Lane {
    private final String name;
    private final Executor threads;
    private final Dispatcher dispatcher;
    private Turn head;
    private Turn tail;
    private int waiting;
    private int workers;
    /** Made once: to start a worker allocates nothing here. */
    private final Runnable work = this::work;

    Lane(String name, Dispatcher dispatcher, Executor threads) {
        this.name = name;
        this.dispatcher = dispatcher;
        this.threads = threads;
    }

    /**
     * Returns whose lane this is.
     *
     * @return the symbolic name of the bundle
     */
    public String name() {
        return name;
    }

    /**
     * Queues a turn that is in no queue.
     *
     * @param turn what to run
     */
    public void schedule(Turn turn) {
        if (append(turn)) {
            startWorker();
        }
    }

    /**
     * Runs something once, in its turn, as a callback of this lane.
     *
     * @param label says what it is
     * @param task what to run
     */
    public void execute(String label, Runnable task) {
        schedule(new SingleTurn(label, task));
    }

    /**
     * Returns how many turns wait for a thread.
     *
     * @return 0 or more
     */
    public synchronized int waiting() {
        return waiting;
    }

    /**
     * Starts a worker if turns wait and fewer run than may: a timer tries again after a thread could not be made, and after
     * the width was raised.
     */
    void revive() {
        boolean start;
        synchronized (this) {
            start = head != null && workers < dispatcher.width();
            if (start) {
                workers++;
            }
        }
        if (start) {
            startWorker();
        }
    }

    private synchronized boolean append(Turn turn) {
        if (tail == null) {
            head = turn;
        } else {
            tail.next = turn;
        }
        tail = turn;
        waiting++;
        if (workers >= dispatcher.width()) {
            return false;
        }
        workers++;
        return true;
    }

    /** Takes the next turn, or retires the worker that asks. */
    private synchronized Turn take() {
        Turn turn = head;
        if (turn == null || workers > dispatcher.width()) {
            workers--;
            return null;
        }
        head = turn.next;
        turn.next = null;
        if (head == null) {
            tail = null;
        }
        waiting--;
        return turn;
    }

    private synchronized void workerFailed() {
        workers--;
    }

    private void startWorker() {
        try {
            threads.execute(work);
        } catch (RuntimeException | OutOfMemoryError cannotStart) {
            // The turns stay queued; other workers or the timer's revive take them.
            workerFailed();
            dispatcher.workerMissing(this, cannotStart);
        }
    }

    private void work() {
        for (Turn turn = take(); turn != null; turn = take()) {
            try {
                dispatcher.run(this, turn);
            } catch (RuntimeException | Error notTold) {
                // There was no memory, say, to log what a turn has thrown. The worker counts, so it must go on.
                continue;
            }
        }
    }

    /** A turn of one step. */
    private static final class SingleTurn extends Turn {
        private final String label;
        private final Runnable task;

        SingleTurn(String label, Runnable task) {
            this.label = label;
            this.task = task;
        }

        @Override
        protected void step() {
            task.run();
        }

        @Override
        protected String label() {
            return label;
        }
    }
}
