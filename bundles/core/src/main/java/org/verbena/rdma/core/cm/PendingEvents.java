package org.verbena.rdma.core.cm;

import java.nio.ByteBuffer;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;

/**
 * The events of one id that wait for their callback, in order. Their number is bounded by the states: one outcome of a
 * call, one disconnect, one time-wait exit, one address change (that absorbs later ones) and one removal; so everything
 * is recorded in place, and nothing can be lost for want of memory (C3).
 *
 * <p>Guarded by the {@link IdState} that it belongs to.
 */
final class PendingEvents {
    private static final int MOST = 5;

    private final CmEventType[] order = new CmEventType[MOST];
    private int count;
    private RdmaError outcomeError = RdmaError.SUCCESS;
    private RdmaError disconnectStatus = RdmaError.SUCCESS;
    private ConnectionParameters parameters;
    private RejectReason rejectReason;
    private ByteBuffer rejectData;

    int count() {
        return count;
    }

    boolean contains(CmEventType type) {
        for (int i = 0; i < count; i++) {
            if (order[i] == type) {
                return true;
            }
        }
        return false;
    }

    void add(CmEventType type) {
        order[count++] = type;
    }

    void addOutcome(CmEventType type, RdmaError error) {
        outcomeError = error;
        add(type);
    }

    void addParameters(CmEventType type, ConnectionParameters told) {
        parameters = told;
        outcomeError = RdmaError.SUCCESS;
        add(type);
    }

    void addRejected(RejectReason reason, RdmaError error, ByteBuffer data) {
        rejectReason = reason;
        rejectData = null;
        outcomeError = error;
        add(CmEventType.REJECTED);
        try {
            rejectData = copy(data);
        } catch (OutOfMemoryError noMemory) {
            // That it was rejected counts more than with what words.
            return;
        }
    }

    void addDisconnected(RdmaError status) {
        disconnectStatus = status;
        add(CmEventType.DISCONNECTED);
    }

    /** Forgets what was told of a connection by a call that has failed after all, wherever it is in the order. */
    void removeOutcomes() {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (!followsFromCall(order[i])) {
                order[kept++] = order[i];
            }
        }
        count = kept;
    }

    /** Takes back the removal of a device that the id is not bound to any more. It is the last one. */
    void removeRemoval() {
        if (count > 0 && order[count - 1] == CmEventType.DEVICE_REMOVAL) {
            count--;
        }
    }

    void clear() {
        count = 0;
    }

    /** Takes the oldest event. What it needs of memory it takes before it changes anything. */
    Event take(ConnectionId id) {
        CmEventType type = order[0];
        Event event =
                switch (type) {
                    case DISCONNECTED -> Event.plain(type, id, disconnectStatus);
                    case DEVICE_REMOVAL, ADDR_CHANGE, TIMEWAIT_EXIT -> Event.plain(type, id, RdmaError.SUCCESS);
                    case REJECTED -> Event.rejected(id, outcomeError, rejectReason, rejectData);
                    case CONNECT_RESPONSE, ESTABLISHED -> Event.parameters(type, id, null, parameters);
                    default -> Event.plain(type, id, outcomeError);
                };
        System.arraycopy(order, 1, order, 0, --count);
        if (followsFromCall(type)) {
            // An id lives on with its connection; what the peer has told goes with the event.
            parameters = null;
            rejectData = null;
        }
        return event;
    }

    private static boolean followsFromCall(CmEventType type) {
        return type != CmEventType.DEVICE_REMOVAL && type != CmEventType.ADDR_CHANGE;
    }

    private static ByteBuffer copy(ByteBuffer data) {
        if (data == null || !data.hasRemaining()) {
            return null;
        }
        ByteBuffer copy = ByteBuffer.allocate(data.remaining());
        copy.put(data.duplicate());
        return copy.flip().asReadOnlyBuffer();
    }
}
