package org.verbena.rdma.core.dispatch;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread of the dispatcher or of core. What it runs now is written by the thread itself and read by the watch; the
 * fields are plain volatile ones so that a step costs no allocation.
 */
final class DispatcherThread extends Thread {
    private static final Logger LOGGER = LoggerFactory.getLogger(DispatcherThread.class);

    private volatile Lane lane;
    private volatile Turn turn;
    private volatile long startNanos;
    private volatile boolean reported;

    private final Dispatcher dispatcher;

    DispatcherThread(Dispatcher dispatcher, Runnable work, String name) {
        super(null, work, name, 0, false);
        this.dispatcher = dispatcher;
        setDaemon(true);
        setUncaughtExceptionHandler((thread, thrown) -> LOGGER.error("thread {} failed", thread.getName(), thrown));
        // Whoever happened to cause the thread must not have its class loader kept alive by it.
        setContextClassLoader(DispatcherThread.class.getClassLoader());
    }

    boolean belongsTo(Dispatcher other) {
        return dispatcher == other;
    }

    void begin(Lane newLane, Turn newTurn) {
        startNanos = System.nanoTime();
        reported = false;
        turn = newTurn;
        lane = newLane;
    }

    void end() {
        lane = null;
        turn = null;
    }

    boolean inCallback() {
        return lane != null;
    }

    /** Returns what runs now, or null; a glance from another thread. */
    Callback callback() {
        Lane nowLane = lane;
        Turn nowTurn = turn;
        long since = startNanos;
        return nowLane == null || nowTurn == null ? null : new Callback(nowLane, nowTurn.label(), this, since);
    }

    boolean isReported() {
        return reported;
    }

    void setReported() {
        reported = true;
    }
}
