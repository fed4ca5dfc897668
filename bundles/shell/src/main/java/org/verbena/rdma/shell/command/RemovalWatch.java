package org.verbena.rdma.shell.command;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.verbena.rdma.monitor.MonitorListener;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** Waits to be told of the end of the removal of one device; another one of its name may be going too. */
final class RemovalWatch implements MonitorListener {
    private final long device;
    private final CompletableFuture<RemovalSnapshot> ended = new CompletableFuture<>();

    RemovalWatch(long device) {
        this.device = device;
    }

    @Override
    public void deviceDown(RemovalSnapshot removal) {
        if (removal.deviceNumber() == device) {
            ended.complete(removal);
        }
    }

    /** The removal when it has ended, {@code null} if that is not told in time. */
    RemovalSnapshot ended(Duration timeout) throws InterruptedException {
        try {
            return ended.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return null;
        }
    }
}
