package org.verbena.rdma.console.timeline;

import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.RemovalSnapshot;

/**
 * Something that has happened. Of its parts only those are set that its kind has.
 *
 * @param sequence where it stands among all entries
 * @param millis when, in milliseconds of Unix time
 * @param kind what it is
 * @param device the device as it is now, of DEVICE_UP and DEVICE_CHANGED
 * @param removal the removal as it is now, of REMOVAL_STEP
 * @param removalNumber which removal that is
 * @param id the id after the event, of EVENT
 * @param consumer the bundle, of CALLBACK_BLOCKED and CALLBACK_RETURNED
 * @param text the type of the event, the thread of the callback, or what an operator has asked for and what became of it
 */
public record Entry(
        long sequence,
        long millis,
        Kind kind,
        DeviceSnapshot device,
        RemovalSnapshot removal,
        long removalNumber,
        IdSnapshot id,
        ConsumerSnapshot consumer,
        String text) {
    /** What there is to tell. */
    public enum Kind {
        /** A device has come. */
        DEVICE_UP,
        /** A device that was there has other addresses or another link state. */
        DEVICE_CHANGED,
        /** A removal has begun, has come to its next step, or is over. */
        REMOVAL_STEP,
        /** An event was delivered. */
        EVENT,
        /** A callback runs for too long. */
        CALLBACK_BLOCKED,
        /** A callback that ran for too long has returned. */
        CALLBACK_RETURNED,
        /** Somebody has asked for something on the page. */
        ASKED,
        /** What somebody has asked for did not come about. */
        FAILED,
        /** Some of what has happened was not recorded. */
        MISSED
    }
}
