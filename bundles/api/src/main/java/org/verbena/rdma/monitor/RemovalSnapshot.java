package org.verbena.rdma.monitor;

import java.util.List;

/**
 * The removal of a device.
 *
 * @param deviceNumber the number of the device: of two removals that run at a time, the devices may have one name
 * @param device the name of the device
 * @param cause what has started it, a few words
 * @param step what it does now
 * @param elapsedMillis for how long it runs, in milliseconds, or has run
 * @param idsTold how many ids have been told
 * @param idsLeft how many ids are left
 * @param waitingFor what it waits for now: bundle, thread and step; empty if it waits for nothing
 * @param forced the bundles that something was taken from by force
 */
public record RemovalSnapshot(
        long deviceNumber,
        String device,
        String cause,
        Step step,
        long elapsedMillis,
        int idsTold,
        int idsLeft,
        List<String> waitingFor,
        List<String> forced) {
    /** The steps of a removal, in their order. */
    public enum Step {
        /** The device is marked: nothing new can be made on it. */
        MARKED,
        /** Its service is being unregistered. */
        UNREGISTERING_SERVICE,
        /** Path queries are cancelled. */
        CANCELLING_QUERIES,
        /** DEVICE_REMOVAL is queued to its ids. */
        TELLING_IDS,
        /** Waits for ids and queue pairs to go, until the deadline. */
        WAITING_FOR_CONSUMERS,
        /** What is left is taken away by force. */
        REVOKING,
        /** Waits until no thread is inside the provider. */
        WAITING_FOR_PROVIDER,
        /** The provider's objects are closed. */
        CLOSING,
        /** It is over. */
        DONE
    }

    /**
     * Copies the lists.
     *
     * @param deviceNumber the number of the device
     * @param device the name of the device
     * @param cause what has started it, a few words
     * @param step what it does now
     * @param elapsedMillis for how long it runs, in milliseconds, or has run
     * @param idsTold how many ids have been told
     * @param idsLeft how many ids are left
     * @param waitingFor what it waits for now: bundle, thread and step; empty if it waits for nothing
     * @param forced the bundles that something was taken from by force
     */
    public RemovalSnapshot {
        waitingFor = List.copyOf(waitingFor);
        forced = List.copyOf(forced);
    }
}
