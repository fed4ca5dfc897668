package org.verbena.rdma.provider.loopback.verbs;

import org.verbena.rdma.spi.QueuePairResources;

/**
 * What a queue pair is made of, as objects of this provider.
 *
 * @param protectionDomain the domain
 * @param sendCompletionQueue where sends are reported
 * @param receiveCompletionQueue where receives are reported
 * @param sharedReceiveQueue where receives come from, or {@code null}
 */
record VerbsResources(
        LoopbackProtectionDomain protectionDomain,
        LoopbackCompletionQueue sendCompletionQueue,
        LoopbackCompletionQueue receiveCompletionQueue,
        LoopbackSharedReceiveQueue sharedReceiveQueue) {

    static VerbsResources of(QueuePairResources resources) {
        return new VerbsResources(
                (LoopbackProtectionDomain) resources.protectionDomain(),
                (LoopbackCompletionQueue) resources.sendCompletionQueue(),
                (LoopbackCompletionQueue) resources.receiveCompletionQueue(),
                (LoopbackSharedReceiveQueue) resources.sharedReceiveQueue());
    }
}
