package org.verbena.rdma.core.dispatch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.core.recording.Recorder;

/**
 * The threads on which consumers are called. Each consumer bundle has a {@link Lane}; threads are shared and grow with
 * need. Core's own work (removals, publishing of devices) runs on {@link #core()}, whose tasks are never behind a
 * consumer's.
 *
 * <p>The sets of lanes and threads are concurrent; nothing here holds a lock while a turn runs.
 */
public final class Dispatcher implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(Dispatcher.class);
    private static final long SOON_MILLIS = 1;
    /** How long the threads are waited for at the end. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final IntSupplier width;
    private final LongSupplier blockedMillis;
    private final Recorder recorder;
    private final AtomicLong threadNumber = new AtomicLong();
    private final Set<DispatcherThread> threads = ConcurrentHashMap.newKeySet();
    private final Set<Lane> lanes = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor callbacks;
    private final ThreadPoolExecutor core;
    private final ScheduledThreadPoolExecutor timer;
    private final Watch watch;
    /** The callbacks that were found to be blocked and whose end was not told; of the watch alone. */
    private final Map<Thread, Callback> blocked = new HashMap<>();

    private volatile BlockedCallbacks blockedCallbacks = (callback, blocked) -> {};

    /** Told when a callback blocks, and when it has ended after all. */
    @FunctionalInterface
    public interface BlockedCallbacks {
        /**
         * Told on a core thread.
         *
         * @param callback the callback
         * @param blocked {@code true} when it was found, {@code false} when it has ended
         */
        void blocked(Callback callback, boolean blocked);
    }

    /**
     * Starts the dispatcher.
     *
     * @param width on how many threads one lane may run; asked each time
     * @param blockedMillis after how long a callback counts as blocked; asked each time
     * @param recorder records callbacks
     */
    public Dispatcher(IntSupplier width, LongSupplier blockedMillis, Recorder recorder) {
        this.recorder = recorder;
        this.width = width;
        this.blockedMillis = blockedMillis;
        callbacks = pool("verbena-callback-");
        core = pool("verbena-core-");
        timer = new ScheduledThreadPoolExecutor(1, work -> thread(work, "verbena-timer"));
        timer.setRemoveOnCancelPolicy(true);
        watch = new Watch(this::look);
        watch.start();
    }

    private ThreadPoolExecutor pool(String prefix) {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                work -> thread(work, prefix + threadNumber.incrementAndGet()));
    }

    private Thread thread(Runnable work, String name) {
        return DispatcherThread.make(this, () -> runThread(work), name);
    }

    private void runThread(Runnable work) {
        DispatcherThread self = (DispatcherThread) Thread.currentThread();
        try {
            threads.add(self);
        } catch (OutOfMemoryError unseen) {
            // The watch does not see it, but what it was started for must not be lost.
            work.run();
            return;
        }
        try {
            work.run();
        } finally {
            threads.remove(self);
        }
    }

    /**
     * Makes the lane of a consumer bundle.
     *
     * @param name the symbolic name of the bundle
     * @return a new lane, to be given back by {@link #drop(Lane)}
     */
    public Lane lane(String name) {
        return lane(name, callbacks);
    }

    /** Makes a lane with threads of the caller's, for tests. */
    Lane lane(String name, Executor threadsOfLane) {
        Lane lane = new Lane(name, this, threadsOfLane);
        lanes.add(lane);
        return lane;
    }

    /**
     * Forgets a lane; what is queued on it still runs.
     *
     * @param lane the lane
     */
    public void drop(Lane lane) {
        lanes.remove(lane);
    }

    /**
     * Returns the threads for core's own work, never bounded, so that no task waits for another.
     *
     * @return an executor that rejects when the dispatcher is closed
     */
    public Executor core() {
        return core;
    }

    /**
     * Runs core's own work on a thread of core, or on the calling thread if there is none: because the dispatcher is
     * closed, or the system gives no more threads.
     *
     * @param work what to run
     */
    public void runOnCore(Runnable work) {
        try {
            core.execute(work);
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            work.run();
        }
    }

    /**
     * Returns the timer. Its tasks must be short and hand over whatever might block.
     *
     * @return the timer
     */
    public ScheduledExecutorService timer() {
        return timer;
    }

    /**
     * Tells whether the current thread runs a callback, of whatever consumer.
     *
     * @return {@code true} inside of a callback
     */
    public boolean inCallback() {
        return Thread.currentThread() instanceof DispatcherThread thread
                && thread.belongsTo(this)
                && thread.inCallback();
    }

    /**
     * Returns the callbacks that run now.
     *
     * @return a snapshot
     */
    public List<Callback> running() {
        List<Callback> running = new ArrayList<>();
        for (DispatcherThread thread : threads) {
            Callback callback = thread.callback();
            if (callback != null) {
                running.add(callback);
            }
        }
        return running;
    }

    /**
     * Tells whether a callback has been running for longer than is good.
     *
     * @param callback the callback
     * @return {@code true} if it counts as blocked
     */
    public boolean isBlocked(Callback callback) {
        return callback.millis() >= blockedMillis.getAsLong();
    }

    /**
     * Sets who is told of blocked callbacks.
     *
     * @param listener who is told
     */
    public void blockedCallbacks(BlockedCallbacks listener) {
        blockedCallbacks = listener;
    }

    /** Returns the time for a turn that is queued, or 0 if nobody wants to know. */
    long queuedNanos() {
        return recorder.recordsCallbacks() ? System.nanoTime() : 0;
    }

    int width() {
        return Math.max(1, width.getAsInt());
    }

    /** Has the timer run something short in a moment. */
    void soon(Runnable work) {
        timer.schedule(work, SOON_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Runs a step; {@code now} is the time, as {@link System#nanoTime()}. */
    void run(Lane lane, Turn turn, long now) {
        DispatcherThread self = (DispatcherThread) Thread.currentThread();
        self.begin(lane, turn, now);
        Recorder.CallbackRecording recording = null;
        long queued = turn.queuedNanos;
        try {
            recording = beginRecording();
            turn.step();
        } catch (Throwable thrown) {
            // A turn catches what a consumer throws; what comes here must not end the worker.
            LOGGER.error("{} of {} failed", turn.label(), lane.name(), thrown);
        } finally {
            try {
                if (recording != null) {
                    recording.end(lane.name(), turn.label(), queued == 0 ? -1 : now - queued);
                }
            } finally {
                self.end();
            }
        }
    }

    /** What cannot be recorded for want of memory must be done all the same. */
    private Recorder.CallbackRecording beginRecording() {
        try {
            return recorder.beginCallback();
        } catch (OutOfMemoryError noMemory) {
            return null;
        }
    }

    void workerMissing(Lane lane, Throwable why) {
        if (callbacks.isShutdown()) {
            // A worker that runs still takes what waits; without one, nothing new is to begin.
            return;
        }
        try {
            LOGGER.warn("no thread for callbacks of {} now, trying again: {}", lane.name(), why.toString());
        } catch (OutOfMemoryError | StackOverflowError noRoomToLog) {
            // Whoever has raised an event must not be told of that.
            return;
        }
    }

    /** What could not be started for want of memory or threads is started again. */
    private void look() {
        lanes.forEach(Lane::revive);
        timer.prestartCoreThread();
        lookForUnblocked();
        lookForBlocked();
    }

    private void lookForBlocked() {
        long limit = blockedMillis.getAsLong();
        for (DispatcherThread thread : threads) {
            Callback callback = thread.callback();
            if (callback != null && callback.millis() >= limit && blocked.putIfAbsent(thread, callback) == null) {
                tell(callback, true);
            }
        }
    }

    /** Comes first in a look, so that no thread has another blocked callback before the end of the one before is told. */
    private void lookForUnblocked() {
        Iterator<Map.Entry<Thread, Callback>> all = blocked.entrySet().iterator();
        while (all.hasNext()) {
            Callback callback = all.next().getValue();
            if (!((DispatcherThread) callback.thread()).runs(callback)) {
                all.remove();
                tell(callback, false);
            }
        }
    }

    private void tell(Callback callback, boolean begins) {
        if (begins) {
            LOGGER.warn(
                    "bundle {} blocks: its {} has been running for {} ms on thread {}",
                    callback.lane().name(),
                    callback.label(),
                    callback.millis(),
                    callback.thread().getName());
        } else {
            LOGGER.info(
                    "bundle {} goes on: its {} has ended, in less than {} ms",
                    callback.lane().name(),
                    callback.label(),
                    callback.millis());
        }
        blockedCallbacks.blocked(callback, begins);
    }

    /**
     * Stops the threads and waits for them, as the classes of a bundle that is updated next cannot be loaded any more.
     * Callbacks that still run are left to end by themselves; nothing new is started.
     */
    @Override
    public void close() {
        watch.end();
        timer.shutdownNow();
        callbacks.shutdown();
        core.shutdown();
        if (Thread.currentThread() instanceof DispatcherThread) {
            return;
        }
        long end = System.nanoTime() + CLOSE_NANOS;
        boolean ended = await(timer, end) & await(core, end);
        if (running().isEmpty()) {
            ended &= await(callbacks, end);
        }
        if (!ended) {
            LOGGER.warn("core has stopped while its threads still run");
        }
    }

    /** Waits for the end of threads, whether or not this one is interrupted. */
    private static boolean await(ThreadPoolExecutor threads, long end) {
        boolean interrupted = false;
        while (true) {
            try {
                boolean ended = threads.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return ended;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
    }
}
