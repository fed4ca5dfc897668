package org.verbena.rdma.core.cm;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.ProviderCall;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointUpcalls;

/**
 * What ties an id to a device: the endpoint there, if one was made, and its upcalls. When an id is attached anew, the
 * former attachment's upcalls are dropped: each knows whether it is still the id's.
 *
 * <p>The endpoint is taken out once by whoever closes it; that is what the atomic reference decides.
 */
final class Attachment implements EndpointUpcalls {
    private final ConnectionId id;
    private final Device device;
    private final AtomicReference<Endpoint> endpoint;

    Attachment(ConnectionId id, Device device, Endpoint endpoint) {
        this.id = id;
        this.device = device;
        this.endpoint = new AtomicReference<>(endpoint);
    }

    Device device() {
        return device;
    }

    Endpoint endpoint() {
        return endpoint.get();
    }

    void setEndpoint(Endpoint made) {
        endpoint.set(made);
    }

    /** Closes the endpoint if there is one left. Inside of the device's gate, or behind it. */
    void closeEndpoint() {
        Endpoint closing = endpoint.getAndSet(null);
        if (closing != null) {
            device.closing("endpoint", closing::close);
        }
    }

    /** Calls the endpoint; throws that the device was removed if it has been closed by a removal. */
    <T> T call(EndpointCall<T> call) throws org.verbena.rdma.RdmaException {
        ProviderCall<T> guarded = () -> {
            Endpoint target = endpoint.get();
            if (target == null) {
                throw device.removed();
            }
            return call.make(target);
        };
        return device.call(guarded);
    }

    /** A call of an endpoint. */
    @FunctionalInterface
    interface EndpointCall<T> {
        T make(Endpoint endpoint) throws org.verbena.rdma.RdmaException;
    }

    // Upcalls

    private interface Recording {
        IdState.After record(IdState state);
    }

    private void record(CmEventType type, Recording recording) {
        if (!device.enterUpcall()) {
            return;
        }
        try {
            if (id.attachment() == this && id.shows(type)) {
                id.after(recording.record(id.idState()));
            }
        } finally {
            device.exit();
        }
    }

    @Override
    public void addressResolved(InetSocketAddress local) {
        record(CmEventType.ADDR_RESOLVED, state -> {
            id.learnLocal(local);
            return state.addressResolved();
        });
    }

    @Override
    public void addressError(RdmaError error) {
        record(CmEventType.ADDR_ERROR, state -> state.addressError(error));
    }

    @Override
    public void routeResolved() {
        record(CmEventType.ROUTE_RESOLVED, IdState::routeResolved);
    }

    @Override
    public void routeError(RdmaError error) {
        record(CmEventType.ROUTE_ERROR, state -> state.routeError(error));
    }

    @Override
    public void connectResponse(ConnectionParameters parameters) {
        record(CmEventType.CONNECT_RESPONSE, state -> state.connectResponse(parameters));
    }

    @Override
    public void established(ConnectionParameters parameters) {
        record(CmEventType.ESTABLISHED, state -> {
            Endpoint known = endpoint.get();
            if (known != null) {
                id.learnLocal(known.localAddress());
            }
            return state.established(parameters);
        });
    }

    @Override
    public void connectError(RdmaError error) {
        record(CmEventType.CONNECT_ERROR, state -> state.connectFailed(CmEventType.CONNECT_ERROR, error));
    }

    @Override
    public void unreachable(RdmaError error) {
        record(CmEventType.UNREACHABLE, state -> state.connectFailed(CmEventType.UNREACHABLE, error));
    }

    @Override
    public void rejected(RejectReason reason, ByteBuffer privateData) {
        RdmaError error = reason == RejectReason.TIMEOUT ? RdmaError.TIMED_OUT : RdmaError.CONNECTION_REFUSED;
        record(CmEventType.REJECTED, state -> state.rejected(reason, error, privateData));
    }

    @Override
    public void disconnected(RdmaError status) {
        record(CmEventType.DISCONNECTED, state -> state.disconnected(status));
    }

    @Override
    public void addressChanged() {
        record(CmEventType.ADDR_CHANGE, IdState::addressChanged);
    }

    @Override
    public void timewaitExit() {
        record(CmEventType.TIMEWAIT_EXIT, IdState::timewaitExit);
    }
}
