package org.verbena.rdma.provider.disni.connection;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.verbena.rdma.disni.ConnectionNatives;

/**
 * A connect that waits for a thread, or is inside of the kernel.
 *
 * <p>{@code lock} guards the phase and the native call's life; it is not held while connecting or interrupting. The
 * native call is freed when neither the thread that connects nor one that interrupts has it.
 */
final class PendingConnect {
    private static final int TIMED_OUT = -110;
    private static final int INTERRUPTED = -4;

    /** Connects. */
    interface Work {
        int connect(long call);
    }

    private enum Phase {
        QUEUED,
        RUNNING,
        OVER
    }

    private final ConnectionNatives natives;
    private final Work work;
    private final IntConsumer outcome;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Phase phase = Phase.QUEUED;
    private boolean cancelled;
    private boolean timedOut;
    private int interrupting;
    private long call;

    PendingConnect(ConnectionNatives natives, Work work, IntConsumer outcome) {
        this.natives = natives;
        this.work = work;
        this.outcome = outcome;
    }

    void run() {
        lock.lock();
        try {
            if (cancelled) {
                return;
            }
            phase = Phase.RUNNING;
            call = timedOut ? INTERRUPTED : natives.createCall();
        } finally {
            lock.unlock();
        }
        int result = call < 0 ? (int) call : work.connect(call);
        boolean tell;
        lock.lock();
        try {
            while (interrupting > 0) {
                changed.awaitUninterruptibly();
            }
            if (call > 0) {
                natives.freeCall(call);
            }
            phase = Phase.OVER;
            changed.signalAll();
            tell = !cancelled;
            if (timedOut && result == INTERRUPTED) {
                result = TIMED_OUT;
            }
        } finally {
            lock.unlock();
        }
        if (tell) {
            outcome.accept(result);
        }
    }

    /** The kernel has waited long enough, or will have when its turn comes. */
    void timeOut() {
        interrupt(false);
    }

    /** As if the kernel had waited long enough, and returns when no thread is inside of it with this, or will be. */
    void stop() {
        interrupt(false);
        awaitOutside();
    }

    /** Gives up, and returns when no thread is inside of the kernel with it, or will be. */
    void cancel() {
        interrupt(true);
        awaitOutside();
    }

    private void awaitOutside() {
        lock.lock();
        try {
            while (phase == Phase.RUNNING) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void interrupt(boolean cancel) {
        lock.lock();
        try {
            cancelled |= cancel;
            timedOut |= !cancel;
            if (phase != Phase.RUNNING || call <= 0) {
                return;
            }
            interrupting++;
        } finally {
            lock.unlock();
        }
        natives.interruptCall(call);
        lock.lock();
        try {
            interrupting--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isOver() {
        lock.lock();
        try {
            return phase == Phase.OVER;
        } finally {
            lock.unlock();
        }
    }
}
