package org.verbena.rdma.provider.loopback.connection;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.loopback.schedule.UpcallQueue;
import org.verbena.rdma.provider.loopback.verbs.LoopbackQueuePair;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.QueuePairResources;

/**
 * One end of a connection. What two ends have to agree on is in their {@link Connection}; core makes one call at a time,
 * so the volatile fields only make visible to the other end what this one has.
 */
public final class LoopbackEndpoint implements Endpoint {
    private static final PrivateDataField REQUEST = new PrivateDataField(PrivateDataCarrier.REQUEST);
    private static final PrivateDataField REPLY = new PrivateDataField(PrivateDataCarrier.REPLY);
    private static final PrivateDataField REJECT = new PrivateDataField(PrivateDataCarrier.REJECT);

    private final ConnectionDevice device;
    private final PortSpace portSpace;
    private final InetSocketAddress local;
    private final InetSocketAddress peer;
    private final UpcallQueue queue;
    private volatile EndpointUpcalls upcalls;
    private volatile LoopbackQueuePair queuePair;
    private volatile Connection connection;

    private LoopbackEndpoint(
            ConnectionDevice device,
            PortSpace portSpace,
            InetSocketAddress local,
            InetSocketAddress peer,
            UpcallQueue queue) {
        this.device = device;
        this.portSpace = portSpace;
        this.local = local;
        this.peer = peer;
        this.queue = queue;
        device.opened(this);
    }

    static LoopbackEndpoint active(
            ConnectionDevice device,
            PortSpace portSpace,
            InetSocketAddress local,
            InetSocketAddress peer,
            EndpointUpcalls upcalls) {
        LoopbackEndpoint endpoint =
                new LoopbackEndpoint(device, portSpace, local, peer, new UpcallQueue(device.upcalls()));
        endpoint.upcalls = upcalls;
        return endpoint;
    }

    /** Makes the end of a request; its upcalls wait until {@link #taken}. */
    static LoopbackEndpoint passive(LoopbackListener listener, InetSocketAddress peer, Connection connection) {
        ConnectionDevice device = listener.device();
        LoopbackEndpoint endpoint = new LoopbackEndpoint(
                device, listener.at().portSpace(), listener.localAddress(), peer, UpcallQueue.paused(device.upcalls()));
        endpoint.connection = connection;
        return endpoint;
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
        device.verbs().checkPresent();
        tell(EndpointUpcalls::routeResolved);
    }

    @Override
    public LoopbackQueuePair createQueuePair(QueuePairResources resources, QueuePairConfiguration configuration)
            throws RdmaException {
        LoopbackQueuePair present = queuePair;
        if (present != null && present.state() != QueuePairState.CLOSED) {
            throw new RdmaException(
                    RdmaError.BUSY, "the endpoint has queue pair " + present.number() + " already: close it first");
        }
        LoopbackQueuePair made = device.verbs().createQueuePair(resources, configuration);
        queuePair = made;
        return made;
    }

    @Override
    public void connect(ConnectionParameters parameters) throws RdmaException {
        device.verbs().checkPresent();
        REQUEST.check(parameters.privateData(), device.attributes());
        Connection begun = new Connection(this, parameters);
        connection = begun;
        begun.request();
    }

    @Override
    public void establish() throws RdmaException {
        device.verbs().checkPresent();
        existing().establish();
    }

    @Override
    public void accept(ConnectionParameters parameters) throws RdmaException {
        device.verbs().checkPresent();
        REPLY.check(parameters.privateData(), device.attributes());
        existing().accept(parameters);
    }

    @Override
    public void reject(ByteBuffer privateData) throws RdmaException {
        REJECT.check(privateData, device.attributes());
        existing().reject(privateData);
    }

    @Override
    public void disconnect() throws RdmaException {
        existing().disconnect(this);
    }

    @Override
    public void close() {
        queue.close();
        Connection ending = connection;
        if (ending != null) {
            ending.closedBy(this);
        }
        device.closed(this);
    }

    /**
     * Ends the connection, or the attempt to make one, as a failure of the network does.
     *
     * @param error what this end is told
     */
    public void breakConnection(RdmaError error) {
        Connection broken = connection;
        if (broken != null) {
            broken.breakOff(this, error);
        }
    }

    /**
     * Lets an attempt to find the route fail.
     *
     * @param error what core is told
     */
    public void failToResolveRoute(RdmaError error) {
        tell(target -> target.routeError(error));
    }

    /**
     * Lets an attempt to connect fail before it has begun.
     *
     * @param error what core is told
     */
    public void failToConnect(RdmaError error) {
        end(target -> {
            if (error == RdmaError.TIMED_OUT) {
                target.unreachable(error);
            } else {
                target.connectError(error);
            }
        });
    }

    ConnectionDevice device() {
        return device;
    }

    PortSpace portSpace() {
        return portSpace;
    }

    /** Returns the queue pair, or {@code null}. */
    LoopbackQueuePair queuePair() {
        return queuePair;
    }

    void resolveAddress() {
        if (device.neighbours().covers(peer.getAddress())) {
            tell(target -> target.addressResolved(local));
        } else {
            tell(target -> target.addressError(RdmaError.NETWORK_UNREACHABLE));
        }
    }

    /** Core has taken the request that this is the end of. */
    void taken(EndpointUpcalls target) {
        upcalls = target;
        queue.resume();
    }

    void tell(Consumer<EndpointUpcalls> upcall) {
        queue.add(() -> upcall.accept(upcalls));
    }

    /** Moves the queue pair to error, and tells core afterwards. */
    void end(Consumer<EndpointUpcalls> upcall) {
        LoopbackQueuePair ended = queuePair;
        if (ended != null) {
            ended.toError();
        }
        tell(upcall);
    }

    void disconnected(RdmaError status) {
        end(target -> target.disconnected(status));
        Duration timewait = device.timeouts().timewait();
        if (!timewait.isZero()) {
            device.timer().after(timewait, () -> tell(EndpointUpcalls::timewaitExit));
        }
    }

    private Connection existing() throws RdmaException {
        Connection present = connection;
        if (present == null) {
            throw new RdmaException(RdmaError.NOT_CONNECTED, "there is no connection to " + peer + ": connect first");
        }
        return present;
    }
}
