package org.verbena.rdma.examples.mirror;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.QueuePairResources;

/** One end of a connection. Its queue pair and its connection are guarded by the lock of the device. */
final class MirrorEndpoint implements Endpoint {
    private final MirrorDevice device;
    private final InetSocketAddress local;
    private final InetSocketAddress peer;
    private volatile EndpointUpcalls upcalls;
    private MirrorQueuePair queuePair;
    private MirrorConnection connection;

    MirrorEndpoint(MirrorDevice device, InetSocketAddress local, InetSocketAddress peer) {
        this.device = device;
        this.local = local;
        this.peer = peer;
    }

    /** Says where to tell what happens; {@code null} if nobody wants to know. */
    void tellTo(EndpointUpcalls target) {
        upcalls = target;
    }

    /** Tells it later, on the thread for that. */
    void tell(Consumer<EndpointUpcalls> news) {
        device.upcalls().raise(this, () -> {
            EndpointUpcalls target = upcalls;
            if (target != null) {
                news.accept(target);
            }
        });
    }

    /** The queue pair goes to error first; call with the lock. */
    void end(Consumer<EndpointUpcalls> news) {
        if (queuePair != null) {
            queuePair.flush();
        }
        tell(news);
    }

    /** Call with the lock; {@code null} if there is none. */
    MirrorQueuePair queuePair() {
        return queuePair;
    }

    /** Call with the lock. */
    void breakOff() {
        connection.breakOff(this);
    }

    /** Call with the lock: a queue pair that is closed ends the connection. */
    void forgetQueuePair() {
        if (connection != null) {
            connection.end(this);
        }
        queuePair = null;
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
    public void resolveRoute(Duration timeout) {
        tell(EndpointUpcalls::routeResolved);
    }

    @Override
    public ProviderQueuePair createQueuePair(QueuePairResources resources, QueuePairConfiguration configuration) {
        synchronized (device.lock) {
            queuePair = new MirrorQueuePair(device, this, resources, configuration);
            return queuePair;
        }
    }

    @Override
    public void connect(ConnectionParameters parameters) {
        synchronized (device.lock) {
            MirrorListener listener = device.listener(peer);
            if (listener == null) {
                end(target -> target.rejected(RejectReason.NO_LISTENER, ByteBuffer.allocate(0)));
                return;
            }
            MirrorEndpoint passive = new MirrorEndpoint(device, peer, local);
            connection = new MirrorConnection(this, passive, parameters);
            passive.connection = connection;
            listener.request(
                    connection, passive, MirrorConnection.fromTheOtherSide(parameters, parameters.privateData()));
        }
    }

    @Override
    public void establish() throws RdmaException {
        synchronized (device.lock) {
            existing().establish();
        }
    }

    @Override
    public void accept(ConnectionParameters parameters) throws RdmaException {
        synchronized (device.lock) {
            existing().accept(parameters);
        }
    }

    @Override
    public void reject(ByteBuffer privateData) throws RdmaException {
        synchronized (device.lock) {
            existing().reject(privateData);
        }
    }

    @Override
    public void disconnect() throws RdmaException {
        synchronized (device.lock) {
            existing().end(this);
        }
    }

    @Override
    public void close() {
        synchronized (device.lock) {
            if (connection != null) {
                connection.end(this);
            }
        }
        device.upcalls().cancel(this);
    }

    private MirrorConnection existing() throws RdmaException {
        if (connection == null) {
            throw new RdmaException(RdmaError.NOT_CONNECTED, "there is no connection to " + peer);
        }
        return connection;
    }
}
