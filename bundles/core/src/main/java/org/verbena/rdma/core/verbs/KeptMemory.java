package org.verbena.rdma.core.verbs;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.FutureTask;

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
     * with all that they refer to are freed then.
     *
     * @param buffers the buffers
     */
    static void keep(List<ByteBuffer> buffers) {
        if (buffers.isEmpty()) {
            return;
        }
        Runnable nothing = new Thread();
        Thread root = new Thread(new FutureTask<>(nothing, List.copyOf(buffers)), "verbena-kept-memory");
        root.setContextClassLoader(null);
        try {
            Runtime.getRuntime().addShutdownHook(root);
        } catch (IllegalStateException e) {
            // The JVM is going down: its memory is freed with its process, after the devices have let go of it.
            return;
        }
    }
}
