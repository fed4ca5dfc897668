package org.verbena.rdma.examples.mirror;

import java.nio.ByteBuffer;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;

/** What is between two endpoints. Everything here is guarded by the lock of the device; call with it. */
final class MirrorConnection {
    private enum Phase {
        REQUESTED,
        ACCEPTED,
        ESTABLISHED,
        ENDED
    }

    private final MirrorEndpoint active;
    private final MirrorEndpoint passive;
    private final ConnectionParameters request;
    private Phase phase = Phase.REQUESTED;

    MirrorConnection(MirrorEndpoint active, MirrorEndpoint passive, ConnectionParameters request) {
        this.active = active;
        this.passive = passive;
        this.request = request;
    }

    /** What one side starts the other side serves, so each sees the other's numbers exchanged. */
    static ConnectionParameters fromTheOtherSide(ConnectionParameters parameters, ByteBuffer privateData) {
        return new ConnectionParameters(
                privateData,
                parameters.initiatorDepth(),
                parameters.responderResources(),
                parameters.retryCount(),
                parameters.receiverNotReadyRetryCount());
    }

    void accept(ConnectionParameters reply) throws RdmaException {
        check(Phase.REQUESTED);
        phase = Phase.ACCEPTED;
        ConnectionParameters seen = fromTheOtherSide(reply, reply.privateData());
        if (active.queuePair() == null) {
            active.tell(target -> target.connectResponse(seen));
        } else {
            join();
            active.tell(target -> target.established(seen));
        }
    }

    /** The active side has made its queue pair after the answer. */
    void establish() throws RdmaException {
        check(Phase.ACCEPTED);
        join();
    }

    private void join() {
        phase = Phase.ESTABLISHED;
        active.queuePair().connectTo(passive.queuePair());
        passive.queuePair().connectTo(active.queuePair());
        ConnectionParameters seen = fromTheOtherSide(request, ByteBuffer.allocate(0));
        passive.tell(target -> target.established(seen));
    }

    void reject(ByteBuffer privateData) throws RdmaException {
        check(Phase.REQUESTED);
        phase = Phase.ENDED;
        active.end(target -> target.rejected(RejectReason.CONSUMER, privateData));
    }

    void refuse(RejectReason reason) {
        if (phase == Phase.REQUESTED) {
            phase = Phase.ENDED;
            active.end(target -> target.rejected(reason, ByteBuffer.allocate(0)));
        }
    }

    /** One side wants no more, or is closed. */
    void end(MirrorEndpoint by) {
        switch (phase) {
            case REQUESTED, ACCEPTED -> {
                if (by == passive) {
                    refuse(RejectReason.CONSUMER);
                }
                if (phase != Phase.ENDED) {
                    phase = Phase.ENDED;
                    other(by).end(target -> target.connectError(RdmaError.CONNECTION_RESET));
                }
            }
            case ESTABLISHED -> endBoth(by, RdmaError.SUCCESS, RdmaError.SUCCESS);
            case ENDED -> {
                // Both know.
            }
        }
    }

    /** Something that one side has posted cannot be carried out. */
    void breakOff(MirrorEndpoint by) {
        if (phase == Phase.ESTABLISHED) {
            endBoth(by, RdmaError.CONNECTION_ABORTED, RdmaError.CONNECTION_RESET);
        }
    }

    private void endBoth(MirrorEndpoint by, RdmaError first, RdmaError second) {
        phase = Phase.ENDED;
        by.end(target -> target.disconnected(first));
        other(by).end(target -> target.disconnected(second));
    }

    private MirrorEndpoint other(MirrorEndpoint end) {
        return end == active ? passive : active;
    }

    private void check(Phase needed) throws RdmaException {
        if (phase != needed) {
            throw new RdmaException(RdmaError.CONNECTION_RESET, "the peer has gone: make a new connection");
        }
    }
}
