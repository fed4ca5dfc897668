package org.verbena.rdma.core.dispatch;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The share that one consumer bundle has of the dispatcher: its turns wait here in order and run on at most
 * {@code width} threads, so that no bundle's slow callback delays another bundle, nor its own other ids before
 * {@code width} of them are blocked (C13).
 *
 * <p>One worker is enough for callbacks that are short: a second one would only be in its way. So another is started when
 * it is worth a thread's start, which is when turns wait although
 *
 * <ul>
 *   <li>there is no worker, or
 *   <li>a callback has taken {@link #LONG_NANOS} and there are more processors than workers, or
 *   <li>no worker has taken a turn for {@link #STALL_NANOS}: all are blocked. Whoever queues a turn looks at that, and as
 *       long as turns wait a timer does.
 * </ul>
 *
 * <p>Whoever queues a turn pushes it on a stack, by one compare-and-set; a worker takes the stack as a whole and turns it
 * over into the queue, which is guarded by this object's monitor. That is held by workers only, for a few instructions,
 * and never while anything outside of this class is called. The number of workers is an atomic: who makes it 1 starts the
 * first, and a worker that retires looks at the stack once more afterwards, so that no turn is left without.
 */
public final class Lane {
    /** Callbacks that take longer are worth another thread if more wait. */
    private static final long LONG_NANOS = 20_000;

    /** When turns wait and none was taken for so long, all workers are blocked. */
    private static final long STALL_NANOS = 200_000;

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** How often a worker looks for another turn before it retires; some microseconds, less than to wake a thread. */
    private static final int LOOKS = PROCESSORS == 1 ? 0 : 100;

    private final String name;
    private final Executor threads;
    private final Dispatcher dispatcher;

    /** Turns that no worker has looked at yet, the newest first. */
    private final AtomicReference<Turn> pushed = new AtomicReference<>();

    /** How many workers run or are being started. */
    private final AtomicInteger workers = new AtomicInteger();

    /** Whether the timer looks at this lane soon. */
    private final AtomicBoolean watched = new AtomicBoolean();

    /** The turns to be taken next, in order; guarded by the monitor. */
    private Turn queued;

    /** When a turn was taken last, or the first worker started; written by workers, a hint for all. */
    private volatile long takenNanos = System.nanoTime();

    /** Which worker has taken a turn last, unless it has retired; a hint. */
    private volatile Thread takenBy;

    /** Whether a thread was refused, so that it is not asked for again before {@link #revive}. */
    private volatile boolean starved;

    /** Made once: to start a worker, or to have the lane watched, allocates nothing here. */
    private final Runnable work = this::work;

    private final Runnable look = this::look;

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
        turn.queuedNanos = dispatcher.queuedNanos();
        Turn top;
        do {
            top = pushed.get();
            turn.next = top;
        } while (!pushed.compareAndSet(top, turn));
        if (workers.get() == 0 && workers.compareAndSet(0, 1)) {
            takenNanos = System.nanoTime();
            startWorker();
        } else {
            addWorkerIfBlocked();
            watch();
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
        return length(queued) + length(pushed.get());
    }

    private static int length(Turn first) {
        int length = 0;
        for (Turn turn = first; turn != null; turn = turn.next) {
            length++;
        }
        return length;
    }

    /**
     * Starts a worker if turns wait and all workers are blocked: the dispatcher's watch tries again after a thread could
     * not be made, and after the width was raised.
     */
    void revive() {
        starved = false;
        look();
    }

    /** Starts a worker if it is missing, and looks again soon if turns still wait. */
    private void look() {
        // First, so that a turn that is queued from here on asks for another look.
        watched.set(false);
        if (isWaiting()) {
            addWorkerIfBlocked();
            watch();
        }
    }

    private synchronized boolean isWaiting() {
        return queued != null || pushed.get() != null;
    }

    private void watch() {
        if (!starved && !watched.get() && watched.compareAndSet(false, true)) {
            try {
                dispatcher.soon(look);
            } catch (RejectedExecutionException | OutOfMemoryError noTimer) {
                // The dispatcher's watch comes by in any case.
                watched.set(false);
            }
        }
    }

    private void addWorkerIfBlocked() {
        if (System.nanoTime() - takenNanos >= STALL_NANOS || workers.get() == 0) {
            addWorker(dispatcher.width());
        }
    }

    /** Starts a worker unless there are as many as may be. */
    private void addWorker(int most) {
        int now = workers.get();
        if (now < most && !starved && workers.compareAndSet(now, now + 1)) {
            takenNanos = System.nanoTime();
            startWorker();
        }
    }

    private void startWorker() {
        try {
            threads.execute(work);
        } catch (RuntimeException | Error cannotStart) {
            // The turns stay queued; other workers or the watch's revive take them. Said once, not for each of
            // thousands.
            boolean said = starved;
            starved = true;
            workers.decrementAndGet();
            if (!said) {
                dispatcher.workerMissing(this, cannotStart);
            }
        }
    }

    private void work() {
        Thread self = Thread.currentThread();
        long now = System.nanoTime();
        boolean quick = false;
        while (!isTooMuch(self, quick)) {
            Turn turn = take(self, now);
            if (turn == null) {
                if (retires(self)) {
                    return;
                }
                now = System.nanoTime();
                continue;
            }
            run(turn, now);
            long end = System.nanoTime();
            quick = end - now < LONG_NANOS;
            now = end;
            if (!quick && isWaiting()) {
                addWorker(Math.min(PROCESSORS, dispatcher.width()));
            }
        }
    }

    private void run(Turn turn, long now) {
        try {
            dispatcher.run(this, turn, now);
        } catch (RuntimeException | Error notTold) {
            // There was no memory, say, to log what a turn has thrown. The worker counts, so it must go on.
            return;
        }
    }

    /**
     * Tells whether there are more workers than may be, or than is good: this one's callback was short, and another worker
     * has taken a turn since. If that one is blocked by now, the turns that wait are watched.
     */
    private boolean isTooMuch(Thread self, boolean quick) {
        int now = workers.get();
        Thread last = takenBy;
        boolean tooMuch = now > dispatcher.width() || now > 1 && quick && last != self && last != null;
        return tooMuch && workers.compareAndSet(now, now - 1);
    }

    private synchronized Turn take(Thread self, long now) {
        Turn turn = queued;
        if (turn == null) {
            turn = turnedOver(pushed.getAndSet(null));
            if (turn == null) {
                return null;
            }
        }
        queued = turn.next;
        turn.next = null;
        takenNanos = now;
        takenBy = self;
        return turn;
    }

    private static Turn turnedOver(Turn newest) {
        Turn first = null;
        Turn turn = newest;
        while (turn != null) {
            Turn older = turn.next;
            turn.next = first;
            first = turn;
            turn = older;
        }
        return first;
    }

    /** Ends a worker that has found nothing to do, unless something comes. */
    private boolean retires(Thread self) {
        for (int i = 0; i < LOOKS; i++) {
            if (pushed.get() != null) {
                return false;
            }
            Thread.onSpinWait();
        }
        if (takenBy == self) {
            takenBy = null;
        }
        workers.decrementAndGet();
        int now = workers.get();
        return pushed.get() == null || now >= dispatcher.width() || !workers.compareAndSet(now, now + 1);
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
