package org.verbena.rdma.provider.iwarp.peer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.ProviderCompletionQueue;
import org.verbena.rdma.spi.ProviderDevice;

/** A completion queue that a test waits on. */
public final class Completions implements CompletionUpcalls {
    private final Semaphore events = new Semaphore(0);
    private final ProviderCompletionQueue queue;

    public Completions(ProviderDevice device, int entries) throws RdmaException {
        queue = device.createCompletionQueue(entries, this);
    }

    public ProviderCompletionQueue queue() {
        return queue;
    }

    @Override
    public void completionEvent() {
        events.release();
    }

    public int events() {
        return events.availablePermits();
    }

    public boolean awaitEvent(Duration time) throws InterruptedException {
        return events.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Takes what is there. */
    public List<Completion> poll() throws RdmaException {
        List<Completion> taken = new ArrayList<>();
        queue.poll(
                (id, status, operation, bytes, pair, flags, key, vendor) ->
                        taken.add(new Completion(id, status, operation, bytes, pair, flags, key, vendor)),
                64);
        return taken;
    }

    /** Waits for the next completion. */
    public Completion next() throws RdmaException, InterruptedException {
        return next(1).get(0);
    }

    /** Waits for some completions. */
    public List<Completion> next(int count) throws RdmaException, InterruptedException {
        List<Completion> taken = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (taken.size() < count) {
            int missing = count - taken.size();
            queue.requestNotification(false);
            int polled = queue.poll(
                    (id, status, operation, bytes, pair, flags, key, vendor) ->
                            taken.add(new Completion(id, status, operation, bytes, pair, flags, key, vendor)),
                    missing);
            if (polled == 0 && !awaitEvent(Duration.ofNanos(end - System.nanoTime()))) {
                throw new AssertionError("waited for " + count + " completions, only got " + taken);
            }
        }
        return taken;
    }
}
