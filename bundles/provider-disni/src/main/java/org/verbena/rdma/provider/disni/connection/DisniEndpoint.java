package org.verbena.rdma.provider.disni.connection;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.provider.disni.natives.Outcome;
import org.verbena.rdma.provider.disni.upcalls.UpcallGate;
import org.verbena.rdma.provider.disni.verbs.DisniQueuePair;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.QueuePairResources;

/**
 * An id of librdmacm and its queue pair.
 *
 * <p>Upcalls are made on the event thread alone. All that it does with the id or the queue pair, upcalls and native calls
 * alike, is done inside of {@code gate}, so that a close waits for it. Core makes one call at a time; the volatile fields
 * only make visible to the event thread what core's calls have set.
 */
public final class DisniEndpoint implements Endpoint, EventTarget {
    private static final Logger LOG = LoggerFactory.getLogger(DisniEndpoint.class);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final ConnectionResources resources;
    private final UpcallGate gate = new UpcallGate();
    private final OwnId id;
    private volatile EndpointUpcalls upcalls;
    private volatile InetSocketAddress local;
    private volatile InetSocketAddress peer;
    private volatile DisniQueuePair queuePair;
    private volatile PendingConnect connect;
    private volatile ConnectionParameters accepted;
    private volatile boolean established;

    private DisniEndpoint(ConnectionResources resources, PortSpace portSpace, EndpointUpcalls upcalls)
            throws RdmaException {
        this.resources = resources;
        this.upcalls = upcalls;
        // No event comes before something was begun.
        id = resources.createId(portSpace, this);
    }

    private DisniEndpoint(ConnectionResources resources, long handle) {
        this.resources = resources;
        id = resources.adopt(handle, this);
        local = resources.localAddress(id);
        peer = resources.peerAddress(id);
    }

    static DisniEndpoint resolve(
            ConnectionResources resources,
            PortSpace portSpace,
            InetSocketAddress source,
            InetSocketAddress destination,
            Duration timeout,
            EndpointOptions options,
            EndpointUpcalls upcalls)
            throws RdmaException {
        DisniEndpoint endpoint = new DisniEndpoint(resources, portSpace, upcalls);
        endpoint.local = source;
        endpoint.peer = destination;
        boolean begun = false;
        try {
            resources.setOptions(endpoint.id, options);
            Outcome.check(
                    resources
                            .natives()
                            .resolveAddress(
                                    endpoint.id.handle(),
                                    SocketAddresses.write(source),
                                    SocketAddresses.write(destination),
                                    milliseconds(timeout)),
                    "resolving " + destination + " from " + source);
            begun = true;
            return endpoint;
        } finally {
            if (!begun) {
                endpoint.close();
            }
        }
    }

    /** Makes the endpoint of a request. On the event thread. */
    static DisniEndpoint requested(ConnectionResources resources, long handle) {
        return new DisniEndpoint(resources, handle);
    }

    static int milliseconds(Duration timeout) {
        long millis = timeout.toMillis();
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, millis));
    }

    /** Core has taken the request. On the event thread, which tells nothing before this has returned. */
    void taken(EndpointUpcalls taker) {
        upcalls = taker;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public InetSocketAddress peerAddress() {
        return peer;
    }

    @Override
    public void resolveRoute(Duration timeout) throws RdmaException {
        Outcome.check(
                resources.natives().resolveRoute(id.handle(), milliseconds(timeout)), "resolving the route to " + peer);
    }

    @Override
    public DisniQueuePair createQueuePair(QueuePairResources objects, QueuePairConfiguration configuration)
            throws RdmaException {
        DisniQueuePair made = DisniQueuePair.create(
                resources.verbs(), resources.natives(), id.handle(), objects, configuration, this::stopConnecting);
        queuePair = made;
        return made;
    }

    @Override
    public void connect(ConnectionParameters parameters) throws RdmaException {
        DisniQueuePair own = queuePair;
        if (own == null && resources.isIwarp()) {
            throw new RdmaException(
                    RdmaError.INVALID_ARGUMENT, "iWARP needs the queue pair before it connects: create it first");
        }
        byte[] privateData = bytes(parameters.privateData());
        int number = own == null ? 0 : own.number();
        connect = resources
                .connectThreads()
                .begin(
                        call -> resources
                                .natives()
                                .connect(
                                        call,
                                        id.handle(),
                                        number,
                                        privateData,
                                        parameters.responderResources(),
                                        parameters.initiatorDepth(),
                                        parameters.retryCount(),
                                        parameters.receiverNotReadyRetryCount()),
                        this::connectReturned);
    }

    private void connectReturned(int result) {
        if (result != 0) {
            resources.upcalls().execute(() -> inGate(() -> connectFailed(Outcome.error(result))));
        }
    }

    /** The call itself has failed: the kernel of an iWARP device connects TCP in it. */
    private void connectFailed(RdmaError error) {
        switch (error) {
            case CONNECTION_REFUSED -> end(target -> target.rejected(RejectReason.NO_LISTENER, NOTHING));
            case TIMED_OUT, HOST_UNREACHABLE, NETWORK_UNREACHABLE -> end(target -> target.unreachable(error));
            default -> end(target -> target.connectError(error));
        }
    }

    @Override
    public void establish() throws RdmaException {
        DisniQueuePair own = requireQueuePair();
        own.ready(resources.natives(), id.handle(), -1, -1);
        Outcome.check(resources.natives().establish(id.handle()), "establishing the connection to " + peer);
        established = true;
    }

    @Override
    public void communicationEstablished() throws RdmaException {
        if (!resources.isIwarp()) {
            Outcome.check(
                    resources.natives().notifyCommunicationEstablished(id.handle()),
                    "telling that communication with " + peer + " is established");
        }
    }

    @Override
    public void accept(ConnectionParameters parameters) throws RdmaException {
        DisniQueuePair own = requireQueuePair();
        accepted = parameters.withPrivateData(NOTHING);
        if (!resources.isIwarp()) {
            own.ready(resources.natives(), id.handle(), parameters.responderResources(), parameters.initiatorDepth());
        }
        Outcome.check(
                resources
                        .natives()
                        .accept(
                                id.handle(),
                                own.number(),
                                bytes(parameters.privateData()),
                                parameters.responderResources(),
                                parameters.initiatorDepth(),
                                parameters.receiverNotReadyRetryCount()),
                "accepting " + peer);
        own.becameReady();
    }

    @Override
    public void reject(ByteBuffer privateData) throws RdmaException {
        Outcome.check(resources.natives().reject(id.handle(), bytes(privateData)), "rejecting " + peer);
    }

    @Override
    public void disconnect() throws RdmaException {
        PendingConnect pending = connect;
        if (pending != null && !pending.isOver()) {
            // The kernel would make this call wait for the other.
            pending.timeOut();
            return;
        }
        int result = resources.natives().disconnect(id.handle());
        if (result != 0) {
            RdmaError error = Outcome.error(result);
            // Where the peer was faster there is nothing left to end, and its event comes or has come.
            if (error != RdmaError.INVALID_ARGUMENT && error != RdmaError.NOT_CONNECTED) {
                throw Outcome.failure(result, "disconnecting from " + peer);
            }
        }
    }

    private void stopConnecting() {
        PendingConnect pending = connect;
        if (pending != null) {
            pending.stop();
        }
    }

    @Override
    public void close() {
        gate.close();
        PendingConnect pending = connect;
        if (pending != null) {
            pending.cancel();
        }
        resources.destroy(id);
    }

    private DisniQueuePair requireQueuePair() throws RdmaException {
        DisniQueuePair own = queuePair;
        if (own == null) {
            throw new RdmaException(RdmaError.INVALID_ARGUMENT, "there is no queue pair: create it first");
        }
        return own;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }

    // Events, on the event thread

    private void inGate(Runnable action) {
        if (gate.enter()) {
            try {
                action.run();
            } finally {
                gate.leave();
            }
        }
    }

    @Override
    public void event(ConnectionEvent event) {
        inGate(() -> happened(event));
    }

    private void happened(ConnectionEvent event) {
        RdmaError error = Outcome.error(event.status());
        switch (event.type()) {
            case ADDRESS_RESOLVED -> addressResolved();
            case ADDRESS_ERROR -> upcalls.addressError(error);
            case ROUTE_RESOLVED -> upcalls.routeResolved();
            case ROUTE_ERROR -> upcalls.routeError(error);
            case CONNECT_RESPONSE -> responded(event.parameters());
            case ESTABLISHED -> established(event.parameters());
            case CONNECT_ERROR -> end(target -> target.connectError(error));
            case UNREACHABLE -> unreachable(error);
            case REJECTED -> {
                RejectReason reason = reason(event.status());
                end(target -> target.rejected(reason, event.parameters().privateData()));
            }
            case DISCONNECTED -> disconnected(event.status());
            case ADDRESS_CHANGE -> upcalls.addressChanged();
            case TIMEWAIT_EXIT -> upcalls.timewaitExit();
            default -> LOG.debug("event {} means nothing here", event.type());
        }
    }

    private void addressResolved() {
        if (resources.isBoundHere(id)) {
            local = resources.localAddress(id);
            upcalls.addressResolved(local);
        } else {
            upcalls.addressError(RdmaError.ADDRESS_NOT_AVAILABLE);
        }
    }

    private void responded(ConnectionParameters parameters) {
        DisniQueuePair own = queuePair;
        if (own == null) {
            upcalls.connectResponse(parameters);
            return;
        }
        try {
            establish();
        } catch (RdmaException failed) {
            LOG.debug("the connection to {} cannot be established", peer, failed);
            end(target -> target.connectError(failed.error()));
            return;
        }
        upcalls.established(parameters);
    }

    private void established(ConnectionParameters parameters) {
        established = true;
        DisniQueuePair own = queuePair;
        if (own != null) {
            own.becameReady();
        }
        ConnectionParameters told = accepted;
        upcalls.established(told != null ? told : parameters);
    }

    /** Newer kernels say this of a connection whose neighbour has changed; it may live on, and its work tells. */
    private void unreachable(RdmaError error) {
        if (!established) {
            end(target -> target.unreachable(error));
        }
    }

    private void disconnected(int status) {
        if (!resources.isIwarp()) {
            // Answers the peer, which waits for that.
            resources.natives().disconnect(id.handle());
        }
        RdmaError error = status == 0 ? RdmaError.SUCCESS : Outcome.error(status);
        end(target -> target.disconnected(error));
    }

    /** InfiniBand tells a reason of its own (IBA 12.6.7.2), iWARP the error that the kernel has seen. */
    private RejectReason reason(int status) {
        if (status < 0) {
            return switch (Outcome.error(status)) {
                case TIMED_OUT -> RejectReason.TIMEOUT;
                // Some kernels report MPA's reject bit as the one, some as the other.
                case CONNECTION_REFUSED, CONNECTION_RESET -> RejectReason.CONSUMER;
                default -> RejectReason.UNKNOWN;
            };
        }
        return switch (status) {
            case 1, 2, 3 -> RejectReason.NO_RESOURCES;
            case 4 -> RejectReason.TIMEOUT;
            case 8 -> RejectReason.NO_LISTENER;
            case 28 -> RejectReason.CONSUMER;
            default -> RejectReason.UNKNOWN;
        };
    }

    /** Moves the queue pair to error, and tells core afterwards. */
    private void end(Consumer<EndpointUpcalls> upcall) {
        DisniQueuePair own = queuePair;
        if (own != null && own.state() != QueuePairState.CLOSED) {
            own.failQuietly();
        }
        upcall.accept(upcalls);
    }

    /** Data has come before the peer's last message of the handshake. Returns whether it came to this endpoint. */
    boolean communicationEstablishedOn(int queuePairNumber) {
        DisniQueuePair own = queuePair;
        if (own == null || own.number() != queuePairNumber) {
            return false;
        }
        inGate(() -> resources.natives().notifyCommunicationEstablished(id.handle()));
        return true;
    }
}
