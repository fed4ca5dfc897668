package org.verbena.rdma.provider.loopback.inspection;

import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.spi.ProviderPathQuery;

/** A path query under inspection. */
final class InspectedPathQuery implements ProviderPathQuery {
    private final ProviderPathQuery query;
    private final InspectedObject object;

    InspectedPathQuery(ProviderPathQuery query, InspectedObject object) {
        this.query = query;
        this.object = object;
    }

    @Override
    public void close() {
        object.close(ProviderCall.CLOSE_PATH_QUERY, query::close);
    }
}
