package org.verbena.rdma.provider.loopback;

/**
 * How much a device takes.
 *
 * @param queuePairs the most queue pairs
 * @param workRequests the most outstanding requests on one queue
 * @param segments the most segments of one request
 * @param completionQueueEntries the most entries of one completion queue
 * @param messageSize the longest message, in bytes
 * @param regionSize the longest region, in bytes
 * @param inlineData the longest inline data, in bytes
 * @param responderResources the most reads and atomics of a peer
 * @param initiatorDepth the most reads and atomics of its own
 */
public record DeviceLimits(
        int queuePairs,
        int workRequests,
        int segments,
        int completionQueueEntries,
        long messageSize,
        long regionSize,
        int inlineData,
        int responderResources,
        int initiatorDepth) {
    /** What holds when nothing was set. */
    public static final DeviceLimits DEFAULTS =
            new DeviceLimits(65_536, 16_384, 16, 65_536, 1L << 30, Integer.MAX_VALUE, 256, 16, 16);
}
