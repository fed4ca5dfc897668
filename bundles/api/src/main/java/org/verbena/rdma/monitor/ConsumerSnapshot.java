package org.verbena.rdma.monitor;

import java.util.List;

/**
 * A bundle that has sessions.
 *
 * @param bundle the symbolic name
 * @param bundleId the number of the bundle, -1 outside of a framework
 * @param cmVersion the version of the cm package that its events are limited to, such as {@code 1.1}
 * @param sessions how many sessions it has
 * @param ids how many ids
 * @param verbsObjects how many verbs objects
 * @param blockedThreads the threads that run a callback of it for longer than is good
 * @param waitingCallbacks how many callbacks wait for a thread
 * @param forced how often a removal has had to take something from it by force
 */
public record ConsumerSnapshot(
        String bundle,
        long bundleId,
        String cmVersion,
        int sessions,
        int ids,
        int verbsObjects,
        List<String> blockedThreads,
        int waitingCallbacks,
        long forced) {
    /**
     * Copies the list.
     *
     * @param bundle the symbolic name
     * @param bundleId the number of the bundle, -1 outside of a framework
     * @param cmVersion the version of the cm package that its events are limited to, such as {@code 1.1}
     * @param sessions how many sessions it has
     * @param ids how many ids
     * @param verbsObjects how many verbs objects
     * @param blockedThreads the threads that run a callback of it for longer than is good
     * @param waitingCallbacks how many callbacks wait for a thread
     * @param forced how often a removal has had to take something from it by force
     */
    public ConsumerSnapshot {
        blockedThreads = List.copyOf(blockedThreads);
    }
}
