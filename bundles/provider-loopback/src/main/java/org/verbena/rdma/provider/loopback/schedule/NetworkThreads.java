package org.verbena.rdma.provider.loopback.schedule;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a network that brings its own: two, for upcalls and for what is due later. */
public final class NetworkThreads implements Executor, Timer, AutoCloseable {
    private final ScheduledThreadPoolExecutor pool;

    /**
     * Makes the threads; they start when there is something to do.
     *
     * @param name what their names begin with
     */
    public NetworkThreads(String name) {
        AtomicInteger count = new AtomicInteger();
        pool = new ScheduledThreadPoolExecutor(2, task -> thread(task, name + "-" + count.incrementAndGet()));
        pool.setRemoveOnCancelPolicy(true);
        pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Whoever has handed over the task must not have its class loader kept: not by the stack, nor as the context's. */
    @SuppressWarnings("removal")
    private static Thread thread(Runnable task, String name) {
        Thread thread =
                AccessController.doPrivileged((PrivilegedAction<Thread>) () -> new Thread(null, task, name, 0, false));
        thread.setContextClassLoader(NetworkThreads.class.getClassLoader());
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    @Override
    public Alarm after(Duration delay, Runnable task) {
        try {
            Future<?> future = pool.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException networkIsClosed) {
            return () -> {};
        }
    }

    /** Lets what was handed over end, and drops what is due later. Does not wait. */
    @Override
    public void close() {
        pool.shutdown();
    }
}
