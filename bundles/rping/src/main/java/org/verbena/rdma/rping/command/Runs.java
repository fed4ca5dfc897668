package org.verbena.rdma.rping.command;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** The threads that run a client or a server, so that all of them can be ended with the component. */
final class Runs {
    /** What a thread runs. */
    interface Run {
        int run() throws InterruptedException;
    }

    private final Set<Thread> threads = new HashSet<>();
    private boolean ended;

    int run(Run run) throws InterruptedException {
        enter();
        try {
            return run.run();
        } finally {
            leave();
        }
    }

    /** Interrupts all and waits until they have left, at most for a time. */
    synchronized void end(Duration patience) {
        ended = true;
        threads.forEach(Thread::interrupt);
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            for (long left; !threads.isEmpty() && (left = deadline - System.nanoTime()) > 0; ) {
                // At least a millisecond: a wait of 0 would have no end.
                wait(left / 1_000_000 + 1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void enter() throws InterruptedException {
        if (ended) {
            throw new InterruptedException("rping is stopped");
        }
        threads.add(Thread.currentThread());
    }

    private synchronized void leave() {
        threads.remove(Thread.currentThread());
        if (ended) {
            // An interrupt that came too late for the run must not hit what the thread does next.
            Thread.interrupted();
        }
        notifyAll();
    }
}
