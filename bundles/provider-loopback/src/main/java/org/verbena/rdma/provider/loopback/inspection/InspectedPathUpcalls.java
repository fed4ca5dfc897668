package org.verbena.rdma.provider.loopback.inspection;

import org.verbena.rdma.Path;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.provider.loopback.fault.ProviderUpcall;
import org.verbena.rdma.spi.PathUpcalls;

/**
 * The upcalls of a path query, with faults.
 *
 * @param target core
 * @param faults what happens to them
 * @param outcome what the query is to end with, or {@code null} for how it ends
 */
record InspectedPathUpcalls(PathUpcalls target, UpcallFaults faults, RdmaError outcome) implements PathUpcalls {
    @Override
    public void found(Path path) {
        if (outcome == null) {
            faults.raise(ProviderUpcall.PATH_FOUND, () -> target.found(path));
        } else {
            failed(outcome);
        }
    }

    @Override
    public void failed(RdmaError error) {
        faults.raise(ProviderUpcall.PATH_FAILED, () -> target.failed(error));
    }
}
