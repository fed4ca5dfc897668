package org.verbena.rdma.core.verbs;

import java.util.Map;

/**
 * What a provider has told of a queue pair when it was asked last.
 *
 * @param state the state, empty if it has told none yet
 * @param counters the counters in its order
 */
public record QueuePairReading(String state, Map<String, Long> counters) {}
