package org.verbena.rdma.provider.loopback.fault;

import java.time.Duration;
import org.osgi.annotation.versioning.ProviderType;

/** Upcalls that were due and were not made. They are lost unless they are delivered. */
@ProviderType
public interface PostponedUpcalls {
    /**
     * Returns how many there are now.
     *
     * @return 0 or more
     */
    int count();

    /**
     * Waits until there are so many.
     *
     * @param count how many
     * @param timeout how long to wait at most
     * @return {@code false} if there are fewer by then
     * @throws InterruptedException if the waiting thread was interrupted
     */
    boolean await(int count, Duration timeout) throws InterruptedException;

    /**
     * Makes those that there are now, on the calling thread, in their order, also if what they are about was closed
     * meanwhile. Does not end the postponing.
     *
     * @return how many were made
     */
    int deliver();

    /** Ends the postponing: from now on upcalls are made when they are due. Those that there are stay to be delivered. */
    void end();
}
