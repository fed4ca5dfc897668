package org.verbena.rdma.core.monitor;

import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.core.device.Device;

/**
 * Asks providers for their counters, each device on a thread of core and none twice at a time, so that a provider that
 * hangs holds up one snapshot briefly and later ones not at all. Has no state of its own.
 */
final class CounterReadings {
    private static final Logger LOGGER = LoggerFactory.getLogger(CounterReadings.class);
    private static final long PATIENCE_MILLIS = 250;

    private final Executor threads;

    CounterReadings(Executor threads) {
        this.threads = threads;
    }

    /** Reads the counters of devices and of their queue pairs; waits for those that answer soon. */
    void read(Collection<Device> devices) {
        CountDownLatch left = new CountDownLatch(devices.size());
        for (Device device : devices) {
            begin(device, left);
        }
        try {
            if (!left.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                LOGGER.debug("a provider takes its time to tell its counters");
            }
        } catch (InterruptedException callers) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin(Device device, CountDownLatch left) {
        if (!device.beginReadingCounters()) {
            left.countDown();
            return;
        }
        try {
            threads.execute(() -> {
                try {
                    device.readCounters();
                } finally {
                    left.countDown();
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            device.skipCounters();
            left.countDown();
        }
    }
}
