package org.verbena.rdma.core.device;

import org.verbena.rdma.core.session.Consumer;

/**
 * An id that is bound to a device, as the removal of the device sees it. No method waits or calls the consumer; those
 * that call the provider say so.
 */
public interface DeviceMember {
    /**
     * Marks the id: whatever its provider still has to say of it is dropped.
     *
     * @param device the device that is removed
     */
    void markRemoval(Device device);

    /**
     * Queues DEVICE_REMOVAL behind what is pending. Called once, after the mark.
     *
     * @param device the device that is removed
     * @return whether the id will be told; {@code false} if it is being destroyed already, or made by a request that
     *     its consumer does not know of
     */
    boolean tellRemoval(Device device);

    /** Refuses the request that has made the id, if its consumer does not know of it. Calls the provider. */
    void refuseIfUndelivered();

    /**
     * Tells whether the removal still has to wait for this id: it is neither destroyed nor done.
     *
     * @param unregistering the thread that removes the device; its own callback is never waited for
     * @return {@code true} while the consumer has not let go
     */
    boolean isHolding(Thread unregistering);

    /**
     * Tells whether it is the consumer that has not let go, rather than the provider that does not come back.
     *
     * @return {@code true} if the consumer is to be named
     */
    boolean isBlamed();

    /**
     * Destroys the id if its consumer has answered DEVICE_REMOVAL with KEEP and has no work outstanding. Calls the
     * provider.
     */
    void destroyIfIdle();

    /**
     * Takes the id away at the deadline: destroys it if no callback of it is running or waiting, and otherwise leaves it
     * as a shell that still gets its DEVICE_REMOVAL.
     */
    void force();

    /**
     * Ends destroy calls that wait for a callback of this id.
     */
    void breakWaits();

    /** Closes what is left of it at the provider. Called when no thread is inside the provider. */
    void closeLeftover();

    /**
     * Returns whose id it is.
     *
     * @return the consumer
     */
    Consumer consumer();

    /**
     * Says what the removal waits for.
     *
     * @return bundle, id and thread, a few words
     */
    String waitingFor();
}
