package org.verbena.rdma.provider.disni.upcalls;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.provider.disni.natives.Outcome;

/**
 * A thread that waits for what a device has to tell, and makes the upcalls. Tasks that others hand to it run on it too,
 * so that everything it tells is told one after another.
 *
 * <p>{@code tasks} and the waker are safe by themselves; {@code stopped} is written before the waker is woken.
 */
public final class EventThread implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(EventThread.class);
    private static final int FIRST = 1;
    private static final int SECOND = 2;
    private static final int WAKER = 4;

    private final VerbsNatives natives;
    private final EventSource source;
    private final int waker;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    private EventThread(String name, VerbsNatives natives, EventSource source, int waker) {
        this.natives = natives;
        this.source = source;
        this.waker = waker;
        thread = DaemonThread.make(this::run, name);
    }

    /**
     * Starts a thread.
     *
     * @param name its name
     * @param natives wait
     * @param source what to wait for
     * @return a running thread
     * @throws RdmaException if there is no descriptor left to wake it
     */
    public static EventThread start(String name, VerbsNatives natives, EventSource source) throws RdmaException {
        EventThread made = new EventThread(
                name, natives, source, Outcome.check(natives.createWaker(), "making an event descriptor"));
        made.thread.start();
        return made;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        natives.wake(waker);
    }

    /** Ends the thread and waits for that. Not to be called on the thread itself. */
    public void stop() {
        stopped = true;
        natives.wake(waker);
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException wait) {
                interrupted = true;
            }
        }
        natives.closeWaker(waker);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopped) {
            int ready = natives.await(source.first(), source.second(), waker);
            if (ready < 0) {
                LOG.error("{} cannot wait for events: {}", thread.getName(), Outcome.error(ready));
                return;
            }
            if ((ready & WAKER) != 0) {
                natives.calm(waker);
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    guarded(task);
                }
            }
            if ((ready & FIRST) != 0) {
                guarded(source::firstReady);
            }
            if ((ready & SECOND) != 0) {
                guarded(source::secondReady);
            }
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | LinkageError | AssertionError failure) {
            LOG.error("an upcall has thrown", failure);
        }
    }
}
