package org.verbena.rdma.provider.loopback.inspection;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.verbena.rdma.provider.loopback.fault.PostponedUpcalls;

/** Upcalls that are kept back. {@code lock} guards everything and is not held while they are made. */
final class KeptUpcalls implements PostponedUpcalls {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final Deque<Runnable> kept = new ArrayDeque<>();
    private boolean ended;

    /** Keeps an upcall; {@code false} if it is to be made as usual. */
    boolean keep(Runnable upcall) {
        lock.lock();
        try {
            if (ended) {
                return false;
            }
            kept.add(upcall);
            added.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int count() {
        lock.lock();
        try {
            return kept.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean await(int count, Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lock();
        try {
            while (kept.size() < count && left > 0) {
                left = added.awaitNanos(left);
            }
            return kept.size() >= count;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int deliver() {
        List<Runnable> due;
        lock.lock();
        try {
            due = new ArrayList<>(kept);
            kept.clear();
        } finally {
            lock.unlock();
        }
        due.forEach(Runnable::run);
        return due.size();
    }

    @Override
    public void end() {
        lock.lock();
        try {
            ended = true;
        } finally {
            lock.unlock();
        }
    }
}
