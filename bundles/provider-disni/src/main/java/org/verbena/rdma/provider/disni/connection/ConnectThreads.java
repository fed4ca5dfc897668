package org.verbena.rdma.provider.disni.connection;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.verbena.rdma.disni.ConnectionNatives;
import org.verbena.rdma.provider.disni.upcalls.DaemonThread;

/**
 * The threads on which the ids of a device connect, since some kernels wait for the peer in the call. Who waits too long
 * is interrupted, so that destinations that do not answer take up no thread for long.
 */
final class ConnectThreads {
    private static final int MOST = 64;
    private static final Duration IDLE = Duration.ofSeconds(10);
    /** Longer than TCP needs for four attempts. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final ConnectionNatives natives;
    private final ThreadPoolExecutor threads;
    private final ScheduledThreadPoolExecutor timer;

    ConnectThreads(String device, ConnectionNatives natives) {
        this.natives = natives;
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                MOST,
                MOST,
                IDLE.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                task -> DaemonThread.make(task, "verbena-" + device + "-connect-" + number.incrementAndGet()));
        threads.allowCoreThreadTimeOut(true);
        timer = new ScheduledThreadPoolExecutor(
                1, task -> DaemonThread.make(task, "verbena-" + device + "-connect-limit"));
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    /**
     * Begins a connect.
     *
     * @param work connects with a call, and returns what librdmacm answers
     * @param outcome is told that on the thread that has connected, unless the connect was cancelled
     * @return the connect under way
     */
    PendingConnect begin(PendingConnect.Work work, IntConsumer outcome) {
        PendingConnect pending = new PendingConnect(natives, work, outcome);
        threads.execute(() -> {
            var limit = timer.schedule(pending::timeOut, LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            try {
                pending.run();
            } finally {
                limit.cancel(false);
            }
        });
        return pending;
    }

    /** Ends the threads; no connect is under way. */
    void close() {
        threads.shutdown();
        timer.shutdownNow();
    }
}
