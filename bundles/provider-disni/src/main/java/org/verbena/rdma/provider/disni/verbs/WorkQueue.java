package org.verbena.rdma.provider.disni.verbs;

import org.verbena.rdma.WorkCompletionStatus;

/** A queue of posted work. It knows what the device does not tell in a completion. */
interface WorkQueue {
    /**
     * Takes note that work is done, and adds what the consumer is told.
     *
     * @param slot the number that the queue has given to the work
     * @param status how it ended
     * @param operation what the device says that was done; only valid for a success
     * @param byteCount how many bytes were received or read
     * @param queuePairNumber the queue pair
     * @param flags as the device tells them
     * @param keyOrImmediate the invalidated key or immediate data
     * @param vendorError a number of the device's own
     * @param to where to add it
     */
    void done(
            int slot,
            WorkCompletionStatus status,
            int operation,
            int byteCount,
            int queuePairNumber,
            int flags,
            int keyOrImmediate,
            int vendorError,
            Completions to);
}
