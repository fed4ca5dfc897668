package org.verbena.rdma.provider.iwarp.device;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.provider.iwarp.loop.EventLoop;
import org.verbena.rdma.provider.iwarp.stream.LingeringSocket;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.ProviderListener;

/**
 * Listens at one address. Sockets are accepted on one loop; each then has its handshake on its own.
 *
 * <p>Peers that have connected and not sent their request yet are limited in number: beyond it the oldest has to make
 * room, so that those who only connect do not keep out those who speak. So have those that have been silent for a while
 * when the operating system has no descriptor left. {@code lock} guards their set, and nothing is called under it.
 * {@code closed} is volatile.
 */
final class IwarpListener implements ProviderListener {
    private static final Logger LOG = LoggerFactory.getLogger(IwarpListener.class);
    private static final int ACCEPTS_PER_TURN = 64;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long WARNING_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final OpenDevice device;
    private final EventLoop loop;
    private final ServerSocketChannel channel;
    private final InetSocketAddress local;
    private final int typeOfService;
    private final ListenerUpcalls upcalls;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<PassiveEndpoint> handshakes = new LinkedHashSet<>();
    private volatile boolean closed;

    /** On the loop only. */
    private SelectionKey key;

    private long nextWarning = System.nanoTime();

    IwarpListener(
            OpenDevice device,
            EventLoop loop,
            ServerSocketChannel channel,
            InetSocketAddress local,
            int typeOfService,
            ListenerUpcalls upcalls) {
        this.device = device;
        this.loop = loop;
        this.channel = channel;
        this.local = local;
        this.typeOfService = typeOfService;
        this.upcalls = upcalls;
    }

    void start() {
        loop.execute(() -> {
            try {
                if (!closed) {
                    key = loop.register(channel, SelectionKey.OP_ACCEPT, this::acceptAll);
                }
            } catch (IOException e) {
                LOG.error("Cannot accept connections at {}", local, e);
            }
        });
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public void close() {
        closed = true;
        loop.closeAndWait(channel);
        List<PassiveEndpoint> left = snapshot();
        device.loops().executeOnEachAndWait(() -> {
            for (PassiveEndpoint endpoint : left) {
                if (endpoint.loop().isCurrent()) {
                    endpoint.drop();
                }
            }
        });
    }

    boolean isClosed() {
        return closed;
    }

    /** Asks core whether it takes a request; {@code null} if not. */
    EndpointUpcalls ask(PassiveEndpoint endpoint, ConnectionParameters parameters) {
        return closed ? null : upcalls.request(endpoint, parameters);
    }

    /** A peer is not in the handshake any more. */
    void finished(PassiveEndpoint endpoint) {
        lock.lock();
        try {
            handshakes.remove(endpoint);
        } finally {
            lock.unlock();
        }
    }

    private List<PassiveEndpoint> snapshot() {
        lock.lock();
        try {
            return List.copyOf(handshakes);
        } finally {
            lock.unlock();
        }
    }

    private void acceptAll(int operations) {
        try {
            for (int i = 0; i < ACCEPTS_PER_TURN && !closed; i++) {
                SocketChannel socket = channel.accept();
                if (socket == null) {
                    return;
                }
                accepted(socket);
            }
        } catch (IOException e) {
            if (!closed) {
                warn(e);
                dropSilent();
                key.interestOps(0);
                loop.after(PAUSE_NANOS, this::resume);
            }
        }
    }

    /** Says once in a while that nobody is accepted: it is tried again many times a second. */
    private void warn(IOException cause) {
        long now = System.nanoTime();
        if (now - nextWarning >= 0) {
            nextWarning = now + WARNING_NANOS;
            LOG.warn("Cannot accept connections at {} for now: {}", local, cause.toString());
        }
    }

    private void dropSilent() {
        long now = System.nanoTime();
        snapshot().stream()
                .filter(peer -> peer.age(now) >= SILENCE_NANOS)
                .limit(ACCEPTS_PER_TURN)
                .forEach(peer -> peer.loop().execute(peer::drop));
    }

    private void resume() {
        if (key.isValid()) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    private void accepted(SocketChannel socket) {
        try {
            PassiveEndpoint endpoint = new PassiveEndpoint(
                    device, device.nextLoop(), this, (InetSocketAddress) socket.getLocalAddress(), (InetSocketAddress)
                            socket.getRemoteAddress());
            PassiveEndpoint oldest = enter(endpoint);
            if (oldest != null) {
                oldest.loop().execute(oldest::drop);
            }
            endpoint.loop().execute(() -> endpoint.begin(socket, typeOfService));
        } catch (IOException e) {
            LOG.debug("A peer was gone as soon as it had come", e);
            LingeringSocket.closeQuietly(socket);
        }
    }

    /** Enters a peer, and returns the one that has to make room, if any. */
    private PassiveEndpoint enter(PassiveEndpoint endpoint) {
        lock.lock();
        try {
            handshakes.add(endpoint);
            if (handshakes.size() <= device.settings().maxHandshakes()) {
                return null;
            }
            PassiveEndpoint oldest = handshakes.iterator().next();
            handshakes.remove(oldest);
            return oldest;
        } finally {
            lock.unlock();
        }
    }
}
