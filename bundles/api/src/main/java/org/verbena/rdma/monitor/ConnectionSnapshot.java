package org.verbena.rdma.monitor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An id that is connected or was.
 *
 * @param id the id, with its consumer, device and addresses
 * @param queuePair the number of its queue pair, -1 for none
 * @param queuePairState the state of its queue pair, as {@code QueuePairState} names it, or empty
 * @param active whether this side has asked for the connection
 * @param listener the number of the id that the request has come to, -1 for an active one
 * @param establishedMillis for how long it has been established, in milliseconds, -1 if it is not
 * @param counters what the provider has counted on the queue pair, in its order; see {@link DeviceSnapshot#counters()}
 */
public record ConnectionSnapshot(
        IdSnapshot id,
        int queuePair,
        String queuePairState,
        boolean active,
        long listener,
        long establishedMillis,
        Map<String, Long> counters) {
    /**
     * Copies the counters.
     *
     * @param id the id, with its consumer, device and addresses
     * @param queuePair the number of its queue pair, -1 for none
     * @param queuePairState the state of its queue pair, as {@code QueuePairState} names it, or empty
     * @param active whether this side has asked for the connection
     * @param listener the number of the id that the request has come to, -1 for an active one
     * @param establishedMillis for how long it has been established, in milliseconds, -1 if it is not
     * @param counters what the provider has counted on the queue pair, in its order
     */
    public ConnectionSnapshot {
        counters = Collections.unmodifiableMap(new LinkedHashMap<>(counters));
    }
}
