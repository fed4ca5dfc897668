package org.verbena.rdma.core.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.security.AccessController;
import java.security.PrivilegedAction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread of the dispatcher or of core. What it runs now is written by the thread itself, without a fence, and read by
 * others: the time first and the lane last when a step begins, the lane first when it ends. The time tells one step from
 * the next, so whoever reads it before and after the rest has what belongs together.
 */
final class DispatcherThread extends Thread {
    private static final Logger LOGGER = LoggerFactory.getLogger(DispatcherThread.class);

    private static final VarHandle LANE;
    private static final VarHandle TURN;
    private static final VarHandle START;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            LANE = lookup.findVarHandle(DispatcherThread.class, "lane", Lane.class);
            TURN = lookup.findVarHandle(DispatcherThread.class, "turn", Turn.class);
            START = lookup.findVarHandle(DispatcherThread.class, "startNanos", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile Lane lane;
    private volatile Turn turn;
    private volatile long startNanos;

    private final Dispatcher dispatcher;

    /**
     * Makes a thread that keeps nothing of whoever happened to cause it: before JDK 24 a thread remembers the protection
     * domains of the whole stack on which it was made, and with them the class loaders of bundles that are long updated.
     */
    @SuppressWarnings("removal")
    static DispatcherThread make(Dispatcher dispatcher, Runnable work, String name) {
        return AccessController.doPrivileged(
                (PrivilegedAction<DispatcherThread>) () -> new DispatcherThread(dispatcher, work, name));
    }

    private DispatcherThread(Dispatcher dispatcher, Runnable work, String name) {
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

    void begin(Lane newLane, Turn newTurn, long now) {
        START.setRelease(this, now);
        TURN.setRelease(this, newTurn);
        LANE.setRelease(this, newLane);
    }

    void end() {
        LANE.setRelease(this, null);
        TURN.setRelease(this, null);
    }

    boolean inCallback() {
        return lane != null;
    }

    /** Returns what runs now, or null; a glance from another thread. */
    Callback callback() {
        while (true) {
            long since = startNanos;
            Lane nowLane = lane;
            Turn nowTurn = turn;
            if (nowLane == null || nowTurn == null) {
                return null;
            }
            if (startNanos == since) {
                return new Callback(nowLane, nowTurn.label(), this, since);
            }
        }
    }

    /** Tells whether a callback that was seen before still runs. */
    boolean runs(Callback callback) {
        return lane != null && startNanos == callback.startNanos();
    }
}
