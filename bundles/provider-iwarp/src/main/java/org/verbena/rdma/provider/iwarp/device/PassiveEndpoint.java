package org.verbena.rdma.provider.iwarp.device;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.provider.iwarp.mpa.Agreement;
import org.verbena.rdma.provider.iwarp.mpa.SetupFault;
import org.verbena.rdma.provider.iwarp.mpa.SetupFrame;
import org.verbena.rdma.provider.iwarp.mpa.SetupFrameReader;
import org.verbena.rdma.provider.iwarp.stream.StreamLoop;
import org.verbena.rdma.spi.EndpointUpcalls;

/**
 * The end that is connected to: reads the MPA request, asks core, and sends the reply. With a ready-to-receive message
 * agreed the connection is established when that has come, else as soon as the reply is sent.
 */
final class PassiveEndpoint extends IwarpEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(PassiveEndpoint.class);

    private enum Phase {
        READING,
        ASKED,
        REPLYING,
        CONNECTED,
        OVER
    }

    private final IwarpListener listener;
    private final long acceptedAt = System.nanoTime();

    /** Written on the loop; whether it is too late to answer. */
    private volatile boolean peerGone;

    /** On the loop only, from here on. */
    private Phase phase = Phase.READING;

    private final SetupFrameReader reader = new SetupFrameReader(true);
    private SetupFrame request;
    private EndpointUpcalls upcalls;
    private ByteBuffer replyBytes;
    private Agreement agreement;
    private ConnectionParameters told;

    PassiveEndpoint(
            OpenDevice device,
            StreamLoop loop,
            IwarpListener listener,
            InetSocketAddress local,
            InetSocketAddress peer) {
        super(device, loop, local, peer);
        this.listener = listener;
    }

    /** Begins to read the request. On the loop. */
    void begin(SocketChannel socket, int typeOfService) {
        try {
            adopt(socket, typeOfService);
            if (listener.isClosed()) {
                giveUp("the listener is closed", null);
                return;
            }
            watch(SelectionKey.OP_READ, this::ready);
            startTimer(device().settings().mpa().requestTimeout(), () -> giveUp("no request has come in time", null));
        } catch (IOException | RuntimeException e) {
            giveUp("the socket cannot be used", e);
        }
    }

    /** How many nanoseconds ago the peer was accepted. */
    long age(long now) {
        return now - acceptedAt;
    }

    /** Drops a peer whose request has not come yet. On the loop. */
    void drop() {
        if (phase == Phase.READING) {
            giveUp("others are waiting, or the listener is closed", null);
        }
    }

    @Override
    EndpointUpcalls upcalls() {
        return upcalls;
    }

    @Override
    public void resolveRoute(Duration timeout) throws RdmaException {
        throw notConnecting();
    }

    @Override
    public void connect(ConnectionParameters parameters) throws RdmaException {
        throw notConnecting();
    }

    @Override
    public void establish() throws RdmaException {
        throw notConnecting();
    }

    private static RdmaException notConnecting() {
        return new RdmaException(RdmaError.INVALID_ARGUMENT, "this end is a request: accept or reject it");
    }

    @Override
    public void accept(ConnectionParameters parameters) throws RdmaException {
        checkPeer();
        loop().execute(() -> {
            if (isClosed()) {
                return;
            }
            if (phase != Phase.ASKED) {
                failQueuePair();
                upcalls.connectError(RdmaError.CONNECTION_RESET);
                return;
            }
            SetupFrame reply = device().negotiation().accept(request, parameters);
            agreement = device().negotiation().accepted(request, reply, parameters);
            replyBytes = reply.encode();
            phase = Phase.REPLYING;
            writeReply();
        });
    }

    @Override
    public void reject(ByteBuffer privateData) throws RdmaException {
        checkPeer();
        ByteBuffer copy = ByteBuffer.allocate(privateData.remaining());
        copy.put(privateData.duplicate()).flip();
        loop().execute(() -> {
            if (phase == Phase.ASKED) {
                refuse(copy);
            }
        });
    }

    private void checkPeer() throws RdmaException {
        if (peerGone) {
            throw new RdmaException(RdmaError.CONNECTION_RESET, "the peer has gone meanwhile: destroy the id");
        }
    }

    @Override
    void abandon() {
        if (phase == Phase.ASKED) {
            refuse(nothing());
        } else if (phase != Phase.CONNECTED) {
            dropSocket();
        } else if (queuePair() != null) {
            queuePair().abort(RdmaError.CONNECTION_ABORTED);
        }
        phase = Phase.OVER;
    }

    private void ready(int operations) {
        switch (phase) {
            case READING -> readRequest();
            case ASKED -> peerSpoke();
            case REPLYING -> writeReply();
            default -> key().interestOps(0);
        }
    }

    private void readRequest() {
        try {
            request = reader.read(channel());
            if (request == null) {
                return;
            }
            device().negotiation().checkRequest(request);
        } catch (SetupFault | IOException e) {
            giveUp("it is no request that can be answered", e);
            return;
        }
        cancelTimer();
        listener.finished(this);
        if (device().negotiation().mustRefuse(request)) {
            refuse(nothing());
            return;
        }
        phase = Phase.ASKED;
        told = device().negotiation().seenFromHere(request);
        upcalls = listener.ask(this, told);
        if (upcalls == null && phase == Phase.ASKED) {
            refuse(nothing());
        }
    }

    /** Before the reply the peer has nothing to say: it has closed, or violates the protocol. */
    private void peerSpoke() {
        try {
            int count = channel().read(ByteBuffer.allocate(1));
            if (count == 0) {
                return;
            }
            LOG.debug("{} {} before its request was answered", peerAddress(), count < 0 ? "has closed" : "sends");
        } catch (IOException e) {
            LOG.debug("{} is gone before its request was answered", peerAddress(), e);
        }
        peerGone = true;
        counters().handshakeFailed();
        over();
        dropSocket();
    }

    private void writeReply() {
        try {
            channel().write(replyBytes);
        } catch (IOException e) {
            LOG.debug("{} does not take the reply", peerAddress(), e);
            counters().handshakeFailed();
            over();
            dropSocket();
            upcalls.connectError(RdmaError.CONNECTION_RESET);
            return;
        }
        if (replyBytes.hasRemaining()) {
            key().interestOps(SelectionKey.OP_WRITE);
            return;
        }
        key().interestOps(0);
        if (!connectQueuePair(agreement)) {
            over();
            dropSocket();
            upcalls.connectError(RdmaError.CONNECTION_ABORTED);
            return;
        }
        phase = Phase.CONNECTED;
        if (agreement.readyToReceive() == null) {
            establish(told);
        } else {
            startTimer(device().settings().mpa().requestTimeout(), this::notReady);
        }
        startQueuePair();
    }

    private void establish(ConnectionParameters parameters) {
        markEstablished();
        upcalls.established(parameters.withPrivateData(nothing()));
    }

    private void notReady() {
        LOG.debug("{} does not tell that it is ready", peerAddress());
        if (queuePair() != null) {
            queuePair().abort(RdmaError.TIMED_OUT);
        }
    }

    @Override
    public void begun() {
        if (agreement.readyToReceive() != null && !isClosed()) {
            cancelTimer();
            establish(told);
        }
    }

    private void refuse(ByteBuffer privateData) {
        over();
        lingerSocket(device().negotiation().refuse(request, privateData).encode());
    }

    private void giveUp(String reason, Exception cause) {
        LOG.debug("{} is dropped: {}", peerAddress(), reason, cause);
        counters().handshakeFailed();
        over();
        dropSocket();
        listener.finished(this);
    }

    private void over() {
        phase = Phase.OVER;
        cancelTimer();
        failQueuePair();
    }
}
