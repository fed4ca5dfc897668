package org.verbena.rdma.provider.loopback.inspection;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.provider.loopback.fault.ProviderUpcall;
import org.verbena.rdma.spi.EndpointUpcalls;

/**
 * The upcalls of an endpoint, with faults.
 *
 * @param target core
 * @param faults what happens to them
 * @param addressOutcome the error that resolving the address is to end with, or {@code null} for how it ends
 */
record InspectedEndpointUpcalls(EndpointUpcalls target, UpcallFaults faults, RdmaError addressOutcome)
        implements EndpointUpcalls {

    @Override
    public void addressResolved(InetSocketAddress local) {
        if (addressOutcome == null) {
            faults.raise(ProviderUpcall.ADDRESS_RESOLVED, () -> target.addressResolved(local));
        } else {
            addressError(addressOutcome);
        }
    }

    @Override
    public void addressError(RdmaError error) {
        faults.raise(ProviderUpcall.ADDRESS_ERROR, () -> target.addressError(error));
    }

    @Override
    public void routeResolved() {
        faults.raise(ProviderUpcall.ROUTE_RESOLVED, target::routeResolved);
    }

    @Override
    public void routeError(RdmaError error) {
        faults.raise(ProviderUpcall.ROUTE_ERROR, () -> target.routeError(error));
    }

    @Override
    public void connectResponse(ConnectionParameters parameters) {
        faults.raise(ProviderUpcall.CONNECT_RESPONSE, () -> target.connectResponse(parameters));
    }

    @Override
    public void established(ConnectionParameters parameters) {
        faults.raise(ProviderUpcall.ESTABLISHED, () -> target.established(parameters));
    }

    @Override
    public void connectError(RdmaError error) {
        faults.raise(ProviderUpcall.CONNECT_ERROR, () -> target.connectError(error));
    }

    @Override
    public void unreachable(RdmaError error) {
        faults.raise(ProviderUpcall.UNREACHABLE, () -> target.unreachable(error));
    }

    @Override
    public void rejected(RejectReason reason, ByteBuffer privateData) {
        faults.raise(ProviderUpcall.REJECTED, () -> target.rejected(reason, privateData.duplicate()));
    }

    @Override
    public void disconnected(RdmaError status) {
        faults.raise(ProviderUpcall.DISCONNECTED, () -> target.disconnected(status));
    }

    @Override
    public void addressChanged() {
        faults.raise(ProviderUpcall.ADDRESS_CHANGED, target::addressChanged);
    }

    @Override
    public void timewaitExit() {
        faults.raise(ProviderUpcall.TIMEWAIT_EXIT, target::timewaitExit);
    }
}
