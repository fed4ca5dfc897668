package org.verbena.rdma.provider.loopback.inspection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.verbena.rdma.provider.loopback.fault.Hold;

/** A hold for so many threads. {@code lock} guards everything; threads wait on its conditions. */
final class LatchHold implements Hold {
    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrival = lock.newCondition();
    private final Condition opening = lock.newCondition();
    private final List<Thread> held = new ArrayList<>();
    private int arrived;
    private boolean released;

    LatchHold(int limit) {
        this.limit = limit;
    }

    /** Holds the calling thread, unless there have been enough or the hold is released. */
    void enter() {
        lock.lock();
        try {
            if (released || arrived == limit) {
                return;
            }
            arrived++;
            held.add(Thread.currentThread());
            arrival.signalAll();
            while (!released) {
                opening.awaitUninterruptibly();
            }
            held.remove(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean awaitArrival(Duration timeout) throws InterruptedException {
        return awaitArrivals(1, timeout);
    }

    @Override
    public boolean awaitArrivals(int count, Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lock();
        try {
            while (arrived < count && left > 0) {
                left = arrival.awaitNanos(left);
            }
            return arrived >= count;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<Thread> held() {
        lock.lock();
        try {
            return List.copyOf(held);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void release() {
        lock.lock();
        try {
            released = true;
            opening.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
