package org.verbena.rdma.monitor;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Told of what happens to devices, ids and consumers, one call at a time. Must not block: what is not taken in time is
 * dropped, and {@link #missed(long)} says how much.
 */
@ConsumerType
public interface MonitorListener {
    /**
     * A device has come, or has changed (addresses, link).
     *
     * @param device the device now
     */
    default void deviceUp(DeviceSnapshot device) {}

    /**
     * A device was removed.
     *
     * @param removal the removal, ended
     */
    default void deviceDown(RemovalSnapshot removal) {}

    /**
     * A removal has begun or has come to its next step.
     *
     * @param removal the removal now
     */
    default void removalStep(RemovalSnapshot removal) {}

    /**
     * An event has been delivered to a consumer.
     *
     * @param id the id after the event
     * @param event the type of the event, as {@code CmEventType} names it
     */
    default void event(IdSnapshot id, String event) {}

    /**
     * A callback runs for longer than is good, or has ended after it did.
     *
     * @param consumer the consumer bundle now
     * @param thread the name of the thread that runs it
     * @param blocked {@code true} when it was found, {@code false} when it has ended
     */
    default void callbackBlocked(ConsumerSnapshot consumer, String thread, boolean blocked) {}

    /**
     * Calls were dropped because this listener was too slow.
     *
     * @param calls how many, since the last time
     */
    default void missed(long calls) {}
}
