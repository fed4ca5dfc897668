package org.verbena.rdma.provider.iwarp.device;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.iwarp.loop.EventLoop;
import org.verbena.rdma.provider.iwarp.loop.ReadyHandler;
import org.verbena.rdma.provider.iwarp.loop.Timer;
import org.verbena.rdma.provider.iwarp.mpa.Agreement;
import org.verbena.rdma.provider.iwarp.stream.IwarpQueuePair;
import org.verbena.rdma.provider.iwarp.stream.LingeringSocket;
import org.verbena.rdma.provider.iwarp.stream.StreamCounters;
import org.verbena.rdma.provider.iwarp.stream.StreamListener;
import org.verbena.rdma.provider.iwarp.stream.StreamLoop;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.QueuePairResources;

/**
 * What both ends of a connection have in common: a socket, a queue pair, and its end.
 *
 * <p>All of it happens on one loop: core's calls hand a task over, and upcalls are made there, so they are one at a time
 * and in order. Only {@link #close}, and what must tell its outcome by a throw, wait for the loop. The volatile fields
 * are written on the loop or before it knows the endpoint, and read by core's threads.
 */
abstract class IwarpEndpoint implements Endpoint, StreamListener {
    private static final Logger LOG = LoggerFactory.getLogger(IwarpEndpoint.class);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final OpenDevice device;
    private final StreamLoop streamLoop;
    private volatile InetSocketAddress local;
    private volatile InetSocketAddress peer;
    private volatile IwarpQueuePair queuePair;
    private volatile boolean connected;

    /** On the loop only, from here on. */
    private SocketChannel channel;

    private SelectionKey key;
    private Timer timer;
    private boolean closed;
    private boolean established;

    IwarpEndpoint(OpenDevice device, StreamLoop streamLoop, InetSocketAddress local, InetSocketAddress peer) {
        this.device = device;
        this.streamLoop = streamLoop;
        this.local = local;
        this.peer = peer;
    }

    final OpenDevice device() {
        return device;
    }

    final EventLoop loop() {
        return streamLoop.loop();
    }

    /** What is counted on the loop of this endpoint; written on it. */
    final StreamCounters counters() {
        return streamLoop.counters();
    }

    @Override
    public final InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public final InetSocketAddress peerAddress() {
        return peer;
    }

    @Override
    public final ProviderQueuePair createQueuePair(QueuePairResources resources, QueuePairConfiguration configuration)
            throws RdmaException {
        int number = device.numbers().take();
        IwarpQueuePair made = new IwarpQueuePair(number, streamLoop, device.stags(), resources, configuration, () -> {
            queuePair = null;
            device.numbers().giveBack(number);
        });
        queuePair = made;
        return made;
    }

    @Override
    public final void disconnect() throws RdmaException {
        if (!connected) {
            throw new RdmaException(RdmaError.NOT_CONNECTED, "there is no connection to end");
        }
        loop().execute(() -> {
            IwarpQueuePair pair = queuePair;
            if (pair != null) {
                pair.finish();
            }
        });
    }

    @Override
    public final void close() {
        loop().executeAndWait(() -> {
            if (!closed) {
                closed = true;
                cancelTimer();
                abandon();
            }
        });
    }

    /** Ends whatever is under way, without an upcall. On the loop. */
    abstract void abandon();

    /** Where to tell what happens. On the loop. */
    abstract EndpointUpcalls upcalls();

    /** Whether core wants to hear nothing any more. On the loop. */
    final boolean isClosed() {
        return closed;
    }

    final IwarpQueuePair queuePair() {
        return queuePair;
    }

    final SocketChannel channel() {
        return channel;
    }

    final SelectionKey key() {
        return key;
    }

    /** Takes a socket over, sets its options, and has it watched by the loop without an interest. On the loop. */
    final void adopt(SocketChannel socket, int typeOfService) throws IOException {
        channel = socket;
        key = null;
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        device.settings().buffers().applyTo(socket);
        device.settings().keepAlive().applyTo(socket);
        if (typeOfService != 0) {
            socket.setOption(StandardSocketOptions.IP_TOS, typeOfService);
        }
    }

    final void watch(int operations, ReadyHandler handler) throws IOException {
        if (key == null) {
            key = loop().register(channel, operations, handler);
        } else {
            key.attach(handler);
            key.interestOps(operations);
        }
    }

    final void addresses(InetSocketAddress ownAddress, InetSocketAddress peerAddress) {
        local = ownAddress;
        peer = peerAddress;
    }

    final void startTimer(Duration time, Runnable action) {
        cancelTimer();
        timer = loop().after(time.toNanos(), action);
    }

    final void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    final void dropSocket() {
        if (channel != null) {
            LingeringSocket.closeQuietly(channel);
            loop().selectAnew();
        }
    }

    final void lingerSocket(ByteBuffer lastWord) {
        LingeringSocket.linger(loop(), channel, key, lastWord, device.settings().lingerTime());
        loop().selectAnew();
    }

    /** Makes the queue pair ready; {@code false} if it cannot be used any more. On the loop. */
    final boolean connectQueuePair(Agreement agreement) {
        IwarpQueuePair pair = queuePair;
        connected = pair != null
                && pair.connect(channel, agreement, device.streamSettings(local.getAddress(), peer.getAddress()), this);
        return connected;
    }

    final void startQueuePair() {
        IwarpQueuePair pair = queuePair;
        if (pair != null) {
            pair.start(key);
        }
    }

    final void failQueuePair() {
        IwarpQueuePair pair = queuePair;
        if (pair != null) {
            pair.connectFailed();
        }
    }

    final void markEstablished() {
        counters().established();
        established = true;
    }

    @Override
    public final void terminated(boolean sent, int code) {
        device.recorder().terminated(device.name(), peer, sent, code);
    }

    @Override
    public final void ended(RdmaError status) {
        cancelTimer();
        device.recorder().ended(device.name(), local, peer, status, queuePair);
        if (closed) {
            return;
        }
        if (established) {
            upcalls().disconnected(status);
        } else {
            LOG.debug("The connection from {} to {} ends before it was established: {}", local, peer, status);
            counters().handshakeFailed();
            upcalls().connectError(status == RdmaError.SUCCESS ? RdmaError.CONNECTION_RESET : status);
        }
    }

    static ByteBuffer nothing() {
        return NOTHING.duplicate();
    }
}
