package org.verbena.rdma.provider.disni.upcalls;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets upcalls of one object through, one at a time, until it is closed.
 *
 * <p>{@code lock} guards the fields and is not held during an upcall.
 */
public final class UpcallGate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private Thread running;
    private boolean closed;

    /** Makes an open gate. */
    public UpcallGate() {
        // nothing to do
    }

    /**
     * Begins an upcall; {@link #leave()} must follow if this returns {@code true}. Waits for an upcall of another thread.
     *
     * @return {@code false} if the gate is closed
     */
    public boolean enter() {
        lock.lock();
        try {
            while (running != null && !closed) {
                idle.awaitUninterruptibly();
            }
            if (closed) {
                return false;
            }
            running = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends an upcall. */
    public void leave() {
        lock.lock();
        try {
            running = null;
            idle.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the gate and waits for the upcall that runs, unless that is the caller itself. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            idle.signalAll();
            while (running != null && running != Thread.currentThread()) {
                idle.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
