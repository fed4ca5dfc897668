package org.verbena.rdma.provider.loopback.verbs;

/**
 * What two sides have agreed on for one of their queue pairs.
 *
 * @param receiverNotReadyRetries how often a send is tried again, 7 for without end
 * @param initiatorDepth how many reads and atomics it may start at a time
 * @param responderResources how many reads and atomics of the peer it serves at a time
 */
public record QueuePairTerms(int receiverNotReadyRetries, int initiatorDepth, int responderResources) {
    /** So many retries that they never end. */
    public static final int ENDLESS = 7;
}
