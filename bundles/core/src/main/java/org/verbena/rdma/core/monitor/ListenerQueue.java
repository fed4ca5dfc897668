package org.verbena.rdma.core.monitor;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.core.dispatch.Dispatcher;
import org.verbena.rdma.core.dispatch.Lane;
import org.verbena.rdma.core.dispatch.Turn;
import org.verbena.rdma.monitor.MonitorListener;

/**
 * What one monitor listener has still to be told, one call at a time and in order; what is too much is dropped and
 * counted.
 *
 * <p>All fields are guarded by this object's monitor, which is not held while the listener is called.
 */
final class ListenerQueue extends Turn {
    private static final Logger LOGGER = LoggerFactory.getLogger(ListenerQueue.class);
    private static final int MOST = 1_024;

    private final MonitorListener listener;
    private final Lane lane;
    private final Dispatcher dispatcher;
    private final Deque<Consumer<MonitorListener>> calls = new ArrayDeque<>();
    private long missed;
    private boolean scheduled;
    private boolean running;
    private boolean closed;

    ListenerQueue(MonitorListener listener, Lane lane, Dispatcher dispatcher) {
        this.listener = listener;
        this.lane = lane;
        this.dispatcher = dispatcher;
    }

    void add(Consumer<MonitorListener> call) {
        if (append(call)) {
            lane.schedule(this);
        }
    }

    private synchronized boolean append(Consumer<MonitorListener> call) {
        if (closed) {
            return false;
        }
        if (calls.size() >= MOST) {
            missed++;
            return false;
        }
        calls.add(call);
        return wake();
    }

    private boolean wake() {
        if (scheduled || running || closed || calls.isEmpty()) {
            return false;
        }
        scheduled = true;
        return true;
    }

    private synchronized Consumer<MonitorListener> begin() {
        scheduled = false;
        if (closed || calls.isEmpty()) {
            return null;
        }
        running = true;
        if (missed > 0) {
            long dropped = missed;
            missed = 0;
            return to -> to.missed(dropped);
        }
        return calls.poll();
    }

    private synchronized boolean end() {
        running = false;
        notifyAll();
        return wake();
    }

    @Override
    protected void step() {
        Consumer<MonitorListener> call = begin();
        if (call == null) {
            return;
        }
        try {
            call.accept(listener);
        } catch (RuntimeException | LinkageError | AssertionError thrown) {
            LOGGER.warn("monitor listener {} threw", listener.getClass().getName(), thrown);
        } finally {
            if (end()) {
                lane.schedule(this);
            }
        }
    }

    @Override
    protected String label() {
        return "monitor listener " + listener.getClass().getName();
    }

    /**
     * No call begins any more; waits for the one that runs, unless this is called inside of a callback.
     *
     * @param limit for how long to wait at most
     * @return whether none runs any more
     */
    boolean close(Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        boolean over;
        synchronized (this) {
            closed = true;
            calls.clear();
            while (running && !dispatcher.inCallback()) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    break;
                }
                try {
                    wait(left);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            over = !running;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return over;
    }
}
