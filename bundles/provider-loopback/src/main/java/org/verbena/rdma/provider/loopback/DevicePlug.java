package org.verbena.rdma.provider.loopback;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.verbena.rdma.spi.ProviderDevice;

/**
 * Registers a device and unregisters it, each once. The reference is all its state: who comes second waits for the
 * first without a lock.
 */
final class DevicePlug {
    private record Removal(Thread by, CompletableFuture<Void> done) {}

    private static final Removal NOT_PLUGGED = new Removal(null, CompletableFuture.completedFuture(null));

    private final ProviderDevice device;
    private final int ranking;
    private final DeviceRegistry registry;
    /** {@code null} while the device is registered. */
    private final AtomicReference<Removal> removal = new AtomicReference<>(NOT_PLUGGED);

    DevicePlug(ProviderDevice device, int ranking, DeviceRegistry registry) {
        this.ranking = ranking;
        this.device = device;
        this.registry = registry;
    }

    /** Registers the device after an action; {@code false} if it is registered, or its removal has not ended yet. */
    boolean plug(Runnable before) {
        Removal last = removal.get();
        if (last == null || !last.done().isDone() || !removal.compareAndSet(last, null)) {
            return false;
        }
        before.run();
        registry.register(device, ranking);
        return true;
    }

    /** Unregisters the device and returns when that is over; inside of the removal itself it returns at once. */
    void unplug() {
        Removal mine = new Removal(Thread.currentThread(), new CompletableFuture<>());
        if (removal.compareAndSet(null, mine)) {
            try {
                registry.unregister(device);
            } finally {
                mine.done().complete(null);
            }
            return;
        }
        Removal first = removal.get();
        if (first != null && first.by() != Thread.currentThread()) {
            first.done().join();
        }
    }
}
