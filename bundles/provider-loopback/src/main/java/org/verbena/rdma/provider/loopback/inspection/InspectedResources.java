package org.verbena.rdma.provider.loopback.inspection;

import java.util.ArrayList;
import java.util.List;
import org.verbena.rdma.spi.QueuePairResources;

/**
 * What a queue pair is made of, without the inspection.
 *
 * @param resources the objects themselves
 * @param parents their inspections
 */
record InspectedResources(QueuePairResources resources, List<InspectedObject> parents) {

    static InspectedResources of(QueuePairResources given) {
        InspectedProtectionDomain domain = (InspectedProtectionDomain) given.protectionDomain();
        InspectedCompletionQueue sends = (InspectedCompletionQueue) given.sendCompletionQueue();
        InspectedCompletionQueue receives = (InspectedCompletionQueue) given.receiveCompletionQueue();
        InspectedSharedReceiveQueue shared = (InspectedSharedReceiveQueue) given.sharedReceiveQueue();
        List<InspectedObject> parents = new ArrayList<>(List.of(domain.object(), sends.object(), receives.object()));
        if (shared != null) {
            parents.add(shared.object());
        }
        return new InspectedResources(
                new QueuePairResources(
                        domain.domain(), sends.queue(), receives.queue(), shared == null ? null : shared.queue()),
                parents);
    }

    InspectedObject[] parentsAnd(InspectedObject other) {
        List<InspectedObject> all = new ArrayList<>(parents);
        all.add(other);
        return all.toArray(InspectedObject[]::new);
    }
}
