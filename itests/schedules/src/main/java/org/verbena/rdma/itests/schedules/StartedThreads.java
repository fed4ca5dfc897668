package org.verbena.rdma.itests.schedules;

import java.util.ArrayList;
import java.util.List;

/**
 * Threads as Lincheck can follow them: one for each task, which can be waited for.
 *
 * <p>The list is guarded by this object's monitor.
 */
public final class StartedThreads {
    private final List<Thread> started = new ArrayList<>();
    private volatile Throwable thrown;

    /** Makes none. */
    public StartedThreads() {}

    /**
     * Runs something on a thread of its own; what it throws, {@link #joinAll} throws.
     *
     * @param task what to run
     */
    public void run(Runnable task) {
        start(new Thread(() -> {
            try {
                task.run();
            } catch (RuntimeException | Error failure) {
                thrown = failure;
            }
        }));
    }

    /**
     * Starts a thread.
     *
     * @param thread one that is new
     */
    public void start(Thread thread) {
        synchronized (this) {
            started.add(thread);
        }
        thread.start();
    }

    private synchronized Thread get(int index) {
        return index < started.size() ? started.get(index) : null;
    }

    /** Waits for the end of all threads, also of those that are started meanwhile. */
    public void joinAll() {
        int index = 0;
        for (Thread thread = get(index); thread != null; thread = get(++index)) {
            try {
                thread.join();
            } catch (InterruptedException nobodys) {
                throw new IllegalStateException(nobodys);
            }
        }
        if (thrown != null) {
            throw new AssertionError(thrown);
        }
    }
}
