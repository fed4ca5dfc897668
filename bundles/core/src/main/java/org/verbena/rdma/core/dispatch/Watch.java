package org.verbena.rdma.core.dispatch;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after something again and again. To go on it needs no memory, whereas a timer loses its thread when there is none:
 * what waits for memory or for a thread depends on this.
 */
final class Watch extends Thread {
    private static final Logger LOGGER = LoggerFactory.getLogger(Watch.class);
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Runnable look;
    private volatile boolean ended;

    Watch(Runnable look) {
        super(null, null, "verbena-watch", 0, false);
        this.look = look;
        setDaemon(true);
        // As with the other threads of core.
        setContextClassLoader(Watch.class.getClassLoader());
    }

    @Override
    public void run() {
        long next = System.nanoTime() + PERIOD_NANOS;
        while (!ended) {
            long left = next - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(left);
                Thread.interrupted(); // by nobody of ours, and it must not make this spin
                continue;
            }
            try {
                look.run();
            } catch (RuntimeException | Error broken) {
                warn(broken);
            }
            next = System.nanoTime() + PERIOD_NANOS;
        }
    }

    private static void warn(Throwable broken) {
        try {
            LOGGER.warn("the watch over callbacks has failed, it goes on", broken);
        } catch (OutOfMemoryError noMemoryToLog) {
            return;
        }
    }

    /** No look begins any more. */
    void end() {
        ended = true;
        LockSupport.unpark(this);
    }
}
