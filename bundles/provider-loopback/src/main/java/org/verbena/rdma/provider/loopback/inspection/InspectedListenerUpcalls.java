package org.verbena.rdma.provider.loopback.inspection;

import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.provider.loopback.connection.LoopbackEndpoint;
import org.verbena.rdma.provider.loopback.fault.ObjectKind;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.provider.loopback.fault.ProviderUpcall;
import org.verbena.rdma.provider.loopback.fault.ViolationKind;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;

/**
 * The upcalls of a listener, with faults.
 *
 * @param target core
 * @param device the period of use that the listener is in
 * @param listener the listener
 */
record InspectedListenerUpcalls(ListenerUpcalls target, InspectedObject device, InspectedObject listener)
        implements ListenerUpcalls {

    @Override
    public EndpointUpcalls request(Endpoint endpoint, ConnectionParameters parameters) {
        UpcallFaults faults = device.inspection().upcalls();
        if (faults.loses(ProviderUpcall.REQUEST)) {
            return null;
        }
        LateEndpointUpcalls late = new LateEndpointUpcalls();
        if (faults.keeps(ProviderUpcall.REQUEST, () -> deliver(endpoint, parameters, late))) {
            return late;
        }
        Account account = device.inspection().account();
        account.upcallBegun();
        try {
            return tell(endpoint, parameters);
        } finally {
            account.upcallEnded();
        }
    }

    @Override
    public void addressChanged() {
        device.inspection().upcalls().raise(ProviderUpcall.LISTENER_ADDRESS_CHANGED, target::addressChanged);
    }

    private void deliver(Endpoint endpoint, ConnectionParameters parameters, LateEndpointUpcalls late) {
        EndpointUpcalls taken = null;
        try {
            taken = tell(endpoint, parameters);
        } finally {
            if (taken == null) {
                endpoint.close();
            } else {
                late.target(taken);
            }
        }
    }

    /** Tells core of a request; returns {@code null} if it is not taken. */
    private EndpointUpcalls tell(Endpoint endpoint, ConnectionParameters parameters) {
        InspectedObject object = new InspectedObject(device.inspection(), ObjectKind.ENDPOINT, device);
        InspectedEndpoint inspected = new InspectedEndpoint((LoopbackEndpoint) endpoint, object);
        boolean late = listener.isClosed();
        EndpointUpcalls taken = null;
        try {
            taken = target.request(inspected, parameters);
        } finally {
            if (taken == null) {
                object.dismiss();
            }
        }
        if (taken == null) {
            return null;
        }
        if (late) {
            object.violated(ViolationKind.LATE_REQUEST_TAKEN, ProviderCall.LISTEN, listener + " was closed before");
        }
        return new InspectedEndpointUpcalls(taken, device.inspection().upcalls(), null);
    }
}
