package org.verbena.rdma.provider.loopback.fake;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/** Runs tasks when the test says so, on the thread of the test. */
public final class ManualExecutor implements Executor {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Runs one task; {@code false} if there is none. */
    public boolean runOne() {
        Runnable task = tasks.poll();
        if (task == null) {
            return false;
        }
        task.run();
        return true;
    }

    /** Runs tasks until there are none. */
    public void runAll() {
        while (runOne()) {}
    }

    public int size() {
        return tasks.size();
    }
}
