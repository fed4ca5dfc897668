package org.verbena.rdma.core.cm;

import java.nio.ByteBuffer;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;

/** An event as the consumer sees it. */
record Event(
        CmEventType type,
        ConnectionId target,
        ConnectionId through,
        RdmaError status,
        ConnectionParameters parameters,
        RejectReason rejectReason)
        implements CmEvent {
    /** What an event carries that tells no parameters. */
    private static final ConnectionParameters NOTHING =
            ConnectionParameters.defaults().withResources(ConnectionParameters.UNKNOWN, ConnectionParameters.UNKNOWN);

    static Event plain(CmEventType type, ConnectionId id, RdmaError status) {
        return new Event(type, id, null, status, NOTHING, null);
    }

    static Event parameters(CmEventType type, ConnectionId id, ConnectionId listener, ConnectionParameters parameters) {
        return new Event(type, id, listener, RdmaError.SUCCESS, parameters == null ? NOTHING : parameters, null);
    }

    static Event rejected(ConnectionId id, RdmaError status, RejectReason reason, ByteBuffer data) {
        return new Event(
                CmEventType.REJECTED, id, null, status, data == null ? NOTHING : NOTHING.withPrivateData(data), reason);
    }

    @Override
    public CmId id() {
        return target;
    }

    @Override
    public CmId listener() {
        return through;
    }

    @Override
    public ByteBuffer privateData() {
        return parameters.privateData();
    }

    @Override
    public String toString() {
        return type + (status == RdmaError.SUCCESS ? "" : " (" + status.sentence() + ")") + " of " + target
                + (rejectReason == null ? "" : ", reason " + rejectReason);
    }
}
