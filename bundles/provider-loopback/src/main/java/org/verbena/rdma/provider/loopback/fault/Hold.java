package org.verbena.rdma.provider.loopback.fault;

import java.time.Duration;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Holds threads inside of the provider, at the beginning of a call, until they are let go. A thread that is held does
 * not answer to interrupts, as a native call would not.
 */
@ProviderType
public interface Hold extends AutoCloseable {
    /**
     * Waits until a thread has arrived, at any time since the hold was made.
     *
     * @param timeout how long to wait at most
     * @return {@code false} if none has arrived by then
     * @throws InterruptedException if the waiting thread was interrupted
     */
    boolean awaitArrival(Duration timeout) throws InterruptedException;

    /**
     * Waits until so many threads have arrived.
     *
     * @param count how many, since the hold was made
     * @param timeout how long to wait at most
     * @return {@code false} if fewer have arrived by then
     * @throws InterruptedException if the waiting thread was interrupted
     */
    boolean awaitArrivals(int count, Duration timeout) throws InterruptedException;

    /**
     * Returns the threads that are held now.
     *
     * @return a copy
     */
    List<Thread> held();

    /** Lets all threads go, and holds no others. */
    void release();

    /** The same as {@link #release()}. */
    @Override
    default void close() {
        release();
    }
}
