package org.verbena.rdma.provider.loopback.inspection;

import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.provider.loopback.fault.ViolationKind;
import org.verbena.rdma.spi.ReceiveRequest;

/** What must hold of a work request while it is posted. Stateless; allocates nothing as long as it does hold. */
final class PostedRequest {
    private PostedRequest() {}

    static void check(ReceiveRequest request, InspectedObject queue, ProviderCall call) {
        int count = request.segmentCount();
        for (int index = 0; index < count; index++) {
            if (request.region(index) instanceof InspectedMemoryRegion region
                    && region.object().isClosed()) {
                queue.violated(ViolationKind.CLOSED_OBJECT_USED, call, region.object() + " is closed");
            }
        }
    }
}
