package org.verbena.rdma.core.guard;

import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The threads of a test. */
public final class Threads implements AutoCloseable {
    private static final long LIMIT_SECONDS = 30;

    private final List<Thread> started = new ArrayList<>();

    /** A call under way on a thread of its own. */
    public static final class Running<T> {
        private final FutureTask<T> task;
        private final Thread thread;

        private Running(Callable<T> call) {
            task = new FutureTask<>(call);
            thread = new Thread(task, "test");
            thread.setDaemon(true);
        }

        public Thread thread() {
            return thread;
        }

        public boolean isDone() {
            return task.isDone();
        }

        /** Waits for the result; what the call has thrown is thrown. */
        public T get() throws Exception {
            try {
                return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw e;
            } catch (TimeoutException e) {
                AssertionError hangs = new AssertionError("the call hangs");
                hangs.setStackTrace(thread.getStackTrace());
                throw hangs;
            }
        }

        /** Waits until the thread waits for something. */
        public void awaitWaiting() {
            await().until(() ->
                    thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING);
        }

        /** Waits until the thread waits in a method of a class. */
        public void awaitWaitingIn(String simpleClassName) {
            awaitWaiting();
            await().until(() -> List.of(thread.getStackTrace()).stream()
                    .anyMatch(frame -> frame.getClassName().endsWith("." + simpleClassName)));
        }
    }

    /** An action that may throw. */
    public interface Action {
        void run() throws Exception;
    }

    public <T> Running<T> call(Callable<T> call) {
        Running<T> running = new Running<>(call);
        started.add(running.thread);
        running.thread.start();
        return running;
    }

    public Running<Void> run(Action action) {
        return call(() -> {
            action.run();
            return null;
        });
    }

    /** Checks that no thread is left. */
    @Override
    public void close() {
        for (Thread thread : started) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (thread.isAlive()) {
                AssertionError hangs = new AssertionError("a thread of the test hangs");
                hangs.setStackTrace(thread.getStackTrace());
                throw hangs;
            }
        }
    }
}
