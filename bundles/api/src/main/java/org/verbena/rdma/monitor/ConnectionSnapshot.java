package org.verbena.rdma.monitor;

/**
 * An id that is connected or was.
 *
 * @param id the id
 * @param queuePair the number of its queue pair, -1 for none
 * @param queuePairState the state of its queue pair, as {@code QueuePairState} names it, or empty
 * @param active whether this side has asked for the connection
 * @param establishedMillis for how long it has been established, in milliseconds, -1 if it is not
 */
public record ConnectionSnapshot(
        IdSnapshot id, int queuePair, String queuePairState, boolean active, long establishedMillis) {}
