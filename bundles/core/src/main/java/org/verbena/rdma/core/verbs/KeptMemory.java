package org.verbena.rdma.core.verbs;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Keeps the memory of regions that could not be closed, for as long as the JVM lives: the provider, or a device by direct
 * memory access, may still write there.
 */
final class KeptMemory {
    private KeptMemory() {}

    /**
     * Keeps buffers reachable for ever.
     *
     * <p>They hang on a shutdown hook that does nothing. Nothing of core would do: core can be updated, and its classes
     * with all that they refer to are freed then. Nor would a thread that is made here: before JDK 24 a thread remembers the
     * protection domains of the stack on which it was made, and with them the class loaders of core and of whoever calls
     * it. So the hook is a thread that the JDK makes, with protection domains of its own, for a pool that is shut down
     * already; the buffers are what that pool would compare itself with if it had too much to do.
     *
     * @param buffers the buffers
     */
    static void keep(List<ByteBuffer> buffers) {
        if (buffers.isEmpty()) {
            return;
        }
        ForkJoinPool.ForkJoinWorkerThreadFactory threads = ForkJoinPool.defaultForkJoinWorkerThreadFactory;
        ForkJoinPool pool = new ForkJoinPool(
                1, threads, null, false, 0, 1, 0, Predicate.isEqual(List.copyOf(buffers)), 1, TimeUnit.SECONDS);
        pool.shutdownNow();
        Thread root = threads.newThread(pool);
        root.setName("verbena-kept-memory");
        root.setContextClassLoader(null);
        try {
            Runtime.getRuntime().addShutdownHook(root);
        } catch (IllegalStateException e) {
            // The JVM is going down: its memory is freed with its process, after the devices have let go of it.
            return;
        }
    }
}
