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
import org.verbena.rdma.core.guard.Presence;
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

    /** Takes the endpoint out without closing it; false if somebody has closed it meanwhile. */
    boolean giveBackEndpoint() {
        return endpoint.getAndSet(null) != null;
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

    // Upcalls. They allocate nothing before the event is recorded, so that none is lost for want of memory.

    private void record(
            CmEventType type, RdmaError error, ConnectionParameters parameters, RejectReason reason, ByteBuffer data) {
        Presence here = begin(type);
        if (here != null) {
            try {
                id.after(recorded(id.idState(), type, error, parameters, reason, data));
            } finally {
                here.exit();
            }
        }
    }

    /** Begins an upcall that is in time and is the id's, for the thread to exit; {@code null} otherwise. */
    private Presence begin(CmEventType type) {
        Presence here = device.enterUpcall();
        boolean begins = false;
        try {
            begins = here != null && id.attachment() == this && id.shows(type);
        } finally {
            if (!begins && here != null) {
                here.exit();
            }
        }
        return begins ? here : null;
    }

    private static IdState.After recorded(
            IdState state,
            CmEventType type,
            RdmaError error,
            ConnectionParameters parameters,
            RejectReason reason,
            ByteBuffer data) {
        return switch (type) {
            case ADDR_ERROR -> state.addressError(error);
            case ROUTE_RESOLVED -> state.routeResolved();
            case ROUTE_ERROR -> state.routeError(error);
            case CONNECT_RESPONSE -> state.connectResponse(parameters);
            case CONNECT_ERROR, UNREACHABLE -> state.connectFailed(type, error);
            case REJECTED -> state.rejected(reason, error, data);
            case DISCONNECTED -> state.disconnected(error);
            case ADDR_CHANGE -> state.addressChanged();
            case TIMEWAIT_EXIT -> state.timewaitExit();
            default -> throw new IllegalArgumentException("not an event of an endpoint: " + type);
        };
    }

    private void record(CmEventType type, RdmaError error) {
        record(type, error, null, null, null);
    }

    @Override
    public void addressResolved(InetSocketAddress local) {
        Presence here = begin(CmEventType.ADDR_RESOLVED);
        if (here != null) {
            try {
                id.learnLocal(local);
                id.after(id.idState().addressResolved());
            } finally {
                here.exit();
            }
        }
    }

    @Override
    public void addressError(RdmaError error) {
        record(CmEventType.ADDR_ERROR, error);
    }

    @Override
    public void routeResolved() {
        record(CmEventType.ROUTE_RESOLVED, RdmaError.SUCCESS);
    }

    @Override
    public void routeError(RdmaError error) {
        record(CmEventType.ROUTE_ERROR, error);
    }

    @Override
    public void connectResponse(ConnectionParameters parameters) {
        record(CmEventType.CONNECT_RESPONSE, RdmaError.SUCCESS, parameters, null, null);
    }

    @Override
    public void established(ConnectionParameters parameters) {
        Presence here = begin(CmEventType.ESTABLISHED);
        if (here != null) {
            try {
                learnLocal();
                id.after(id.idState().established(parameters));
            } finally {
                here.exit();
            }
        }
    }

    /** The event counts more than the address, which the provider may fail to tell. */
    private void learnLocal() {
        Endpoint known = endpoint.get();
        if (known != null) {
            try {
                id.learnLocal(known.localAddress());
            } catch (RuntimeException | Error broken) {
                return;
            }
        }
    }

    @Override
    public void connectError(RdmaError error) {
        record(CmEventType.CONNECT_ERROR, error);
    }

    @Override
    public void unreachable(RdmaError error) {
        record(CmEventType.UNREACHABLE, error);
    }

    @Override
    public void rejected(RejectReason reason, ByteBuffer privateData) {
        RdmaError error = reason == RejectReason.TIMEOUT ? RdmaError.TIMED_OUT : RdmaError.CONNECTION_REFUSED;
        record(CmEventType.REJECTED, error, null, reason, privateData);
    }

    @Override
    public void disconnected(RdmaError status) {
        record(CmEventType.DISCONNECTED, status);
    }

    @Override
    public void addressChanged() {
        record(CmEventType.ADDR_CHANGE, RdmaError.SUCCESS);
    }

    @Override
    public void timewaitExit() {
        record(CmEventType.TIMEWAIT_EXIT, RdmaError.SUCCESS);
    }
}
