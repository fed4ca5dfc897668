package org.verbena.rdma.spi;

import java.util.Objects;

/**
 * The provider's own objects that a queue pair is made of.
 *
 * @param protectionDomain the domain
 * @param sendCompletionQueue where sends are reported
 * @param receiveCompletionQueue where receives are reported; may be the same
 * @param sharedReceiveQueue where receives come from, or {@code null}
 */
public record QueuePairResources(
        ProviderProtectionDomain protectionDomain,
        ProviderCompletionQueue sendCompletionQueue,
        ProviderCompletionQueue receiveCompletionQueue,
        ProviderSharedReceiveQueue sharedReceiveQueue) {
    /**
     * Checks what must be there.
     *
     * @param protectionDomain the domain
     * @param sendCompletionQueue where sends are reported
     * @param receiveCompletionQueue where receives are reported; may be the same
     * @param sharedReceiveQueue where receives come from, or {@code null}
     */
    public QueuePairResources {
        Objects.requireNonNull(protectionDomain, "protectionDomain");
        Objects.requireNonNull(sendCompletionQueue, "sendCompletionQueue");
        Objects.requireNonNull(receiveCompletionQueue, "receiveCompletionQueue");
    }
}
