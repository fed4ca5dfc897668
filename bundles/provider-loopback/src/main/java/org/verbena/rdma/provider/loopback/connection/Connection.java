package org.verbena.rdma.provider.loopback.connection;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.provider.loopback.verbs.LoopbackQueuePair;
import org.verbena.rdma.provider.loopback.verbs.QueuePairLink;
import org.verbena.rdma.provider.loopback.verbs.QueuePairTerms;
import org.verbena.rdma.spi.EndpointUpcalls;

/**
 * A connection between two endpoints, from the request to its end.
 *
 * <p>{@code lock} guards the phase and the passive end, and makes each move of both ends one step. Under it upcalls are
 * queued, never made, and queue pairs go to error; their locks come after this one.
 */
final class Connection implements QueuePairLink {
    private static final PrivateDataField REQUEST = new PrivateDataField(PrivateDataCarrier.REQUEST);
    private static final PrivateDataField REPLY = new PrivateDataField(PrivateDataCarrier.REPLY);
    private static final PrivateDataField REJECT = new PrivateDataField(PrivateDataCarrier.REJECT);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private enum Phase {
        /** The passive side has not answered. */
        REQUESTED,
        /** It has accepted; the active side has no queue pair yet. */
        ANSWERED,
        ESTABLISHED,
        /** One side wants to end; its sends are being carried out. */
        ENDING,
        ENDED
    }

    private final LoopbackEndpoint active;
    private final ConnectionParameters request;
    private final ReentrantLock lock = new ReentrantLock();
    private Phase phase = Phase.REQUESTED;
    private LoopbackListener listener;
    private LoopbackEndpoint passive;
    private ConnectionParameters reply;

    Connection(LoopbackEndpoint active, ConnectionParameters request) {
        this.active = active;
        this.request = request;
    }

    /** Sends the request to whoever listens. */
    void request() {
        ConnectionDevice device = active.device();
        Neighbours neighbours = device.neighbours();
        if (!device.isOnNetwork() || !neighbours.answers(active.peerAddress().getAddress())) {
            device.timer().after(device.timeouts().connect(), this::noAnswer);
            return;
        }
        LoopbackListener found = device.listeners().find(new ListenAddress(active.portSpace(), active.peerAddress()));
        RejectReason refused = found == null ? RejectReason.NO_LISTENER : found.offer(this);
        if (refused != null) {
            refuse(refused);
        }
    }

    /** Tells core of the request. Called in the turn of the listener, without a lock. */
    void tellRequest(LoopbackListener by) {
        LoopbackEndpoint made;
        lock.lock();
        try {
            if (phase != Phase.REQUESTED) {
                by.answered();
                return;
            }
            listener = by;
            made = LoopbackEndpoint.passive(by, active.localAddress(), this);
            passive = made;
        } finally {
            lock.unlock();
        }
        EndpointUpcalls taken = null;
        try {
            taken = by.upcalls()
                    .request(made, REQUEST.delivered(request, by.device().attributes()));
        } finally {
            if (taken == null) {
                refuse(RejectReason.NO_RESOURCES);
                made.close();
            } else {
                made.taken(taken);
            }
        }
    }

    /** Refuses the request, if it is not answered yet. */
    void refuse(RejectReason reason) {
        lock.lock();
        try {
            if (phase == Phase.REQUESTED) {
                answered(Phase.ENDED);
                active.end(target -> target.rejected(reason, NOTHING.duplicate()));
            }
        } finally {
            lock.unlock();
        }
    }

    void reject(ByteBuffer privateData) throws RdmaException {
        ByteBuffer data = REJECT.delivered(privateData, active.device().attributes());
        lock.lock();
        try {
            checkPhase(Phase.REQUESTED);
            answered(Phase.ENDED);
            active.end(target -> target.rejected(RejectReason.CONSUMER, data));
        } finally {
            lock.unlock();
        }
    }

    void accept(ConnectionParameters parameters) throws RdmaException {
        lock.lock();
        try {
            checkPhase(Phase.REQUESTED);
            if (passive.queuePair() == null) {
                throw noQueuePair();
            }
            reply = parameters;
            answered(Phase.ANSWERED);
            ConnectionParameters response =
                    REPLY.delivered(parameters, active.device().attributes());
            if (active.queuePair() == null) {
                active.tell(target -> target.connectResponse(response));
            } else if (join()) {
                active.tell(target -> target.established(response));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the set-up on the active side. */
    void establish() throws RdmaException {
        lock.lock();
        try {
            checkPhase(Phase.ANSWERED);
            if (active.queuePair() == null) {
                throw noQueuePair();
            }
            if (!join()) {
                throw gone();
            }
        } finally {
            lock.unlock();
        }
    }

    void disconnect(LoopbackEndpoint by) {
        LoopbackQueuePair queuePair;
        lock.lock();
        try {
            if (phase == Phase.REQUESTED || phase == Phase.ANSWERED) {
                answered(Phase.ENDED);
                by.disconnected(RdmaError.SUCCESS);
                tellOther(by, target -> target.connectError(RdmaError.CONNECTION_RESET));
            }
            if (phase != Phase.ESTABLISHED) {
                return;
            }
            phase = Phase.ENDING;
            queuePair = by.queuePair();
        } finally {
            lock.unlock();
        }
        queuePair.whenSent(this::endInGoodOrder);
        if (!isEnded()) {
            ConnectionDevice device = by.device();
            device.timer().after(device.timeouts().disconnect(), this::endInGoodOrder);
        }
    }

    /** One side is freed, whatever the connection is at. */
    void closedBy(LoopbackEndpoint by) {
        lock.lock();
        try {
            switch (phase) {
                case REQUESTED, ANSWERED -> {
                    boolean refuses = phase == Phase.REQUESTED && by == passive;
                    answered(Phase.ENDED);
                    tellOther(by, target -> {
                        if (refuses) {
                            target.rejected(RejectReason.CONSUMER, NOTHING.duplicate());
                        } else {
                            target.connectError(RdmaError.CONNECTION_RESET);
                        }
                    });
                }
                case ESTABLISHED, ENDING -> endInGoodOrder();
                case ENDED -> {}
            }
        } finally {
            lock.unlock();
        }
    }

    /** The network, or the device of one side, fails. */
    void breakOff(LoopbackEndpoint by, RdmaError error) {
        lock.lock();
        try {
            switch (phase) {
                case REQUESTED, ANSWERED -> {
                    answered(Phase.ENDED);
                    by.end(target -> target.connectError(error));
                    tellOther(by, target -> target.connectError(RdmaError.CONNECTION_RESET));
                }
                case ESTABLISHED, ENDING -> {
                    phase = Phase.ENDED;
                    by.disconnected(error);
                    other(by).disconnected(RdmaError.CONNECTION_RESET);
                }
                case ENDED -> {}
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void failed(LoopbackQueuePair queuePair) {
        breakOff(owner(queuePair), RdmaError.CONNECTION_ABORTED);
    }

    @Override
    public void closing(LoopbackQueuePair queuePair) {
        endInGoodOrder();
    }

    private void endInGoodOrder() {
        lock.lock();
        try {
            if (phase == Phase.ESTABLISHED || phase == Phase.ENDING) {
                phase = Phase.ENDED;
                active.disconnected(RdmaError.SUCCESS);
                passive.disconnected(RdmaError.SUCCESS);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isEnded() {
        lock.lock();
        try {
            return phase == Phase.ENDED;
        } finally {
            lock.unlock();
        }
    }

    private void noAnswer() {
        lock.lock();
        try {
            if (phase == Phase.REQUESTED) {
                phase = Phase.ENDED;
                active.end(target -> target.unreachable(RdmaError.TIMED_OUT));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Call with the lock: connects the queue pairs and tells the passive side; {@code false} if they cannot be. */
    private boolean join() {
        LoopbackQueuePair passiveQueuePair = passive.queuePair();
        boolean joined = LoopbackQueuePair.connect(
                active.queuePair(),
                new QueuePairTerms(
                        request.receiverNotReadyRetryCount(), request.initiatorDepth(), request.responderResources()),
                passiveQueuePair,
                new QueuePairTerms(
                        reply.receiverNotReadyRetryCount(), reply.initiatorDepth(), reply.responderResources()),
                this);
        if (joined) {
            phase = Phase.ESTABLISHED;
            ConnectionParameters seen = REQUEST.delivered(
                    request.withPrivateData(NOTHING), passive.device().attributes());
            passive.tell(target -> target.established(seen.withPrivateData(NOTHING)));
        } else {
            phase = Phase.ENDED;
            active.end(target -> target.connectError(RdmaError.CONNECTION_ABORTED));
            passive.end(target -> target.connectError(RdmaError.CONNECTION_ABORTED));
        }
        return joined;
    }

    /** Call with the lock: leaves the phase REQUESTED, if it is that, and gives the place in the backlog back. */
    private void answered(Phase next) {
        if (phase == Phase.REQUESTED && listener != null) {
            listener.answered();
        }
        phase = next;
    }

    /** Call with the lock: tells the other end, if there is one already. */
    private void tellOther(LoopbackEndpoint by, Consumer<EndpointUpcalls> upcall) {
        LoopbackEndpoint told = other(by);
        if (told != null) {
            told.end(upcall);
        }
    }

    private LoopbackEndpoint other(LoopbackEndpoint end) {
        return end == active ? passive : active;
    }

    private LoopbackEndpoint owner(LoopbackQueuePair queuePair) {
        return active.queuePair() == queuePair ? active : passive;
    }

    private void checkPhase(Phase needed) throws RdmaException {
        if (phase != needed) {
            throw gone();
        }
    }

    private RdmaException gone() {
        return new RdmaException(
                RdmaError.CONNECTION_RESET,
                "the connection between " + active.localAddress() + " and " + active.peerAddress() + " is gone ("
                        + phase + "): make a new one");
    }

    private static RdmaException noQueuePair() {
        return new RdmaException(
                RdmaError.INVALID_ARGUMENT, "the endpoint has no queue pair: make one before the connection");
    }
}
