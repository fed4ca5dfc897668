package org.verbena.rdma.provider.iwarp.device;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.provider.iwarp.mpa.Agreement;
import org.verbena.rdma.provider.iwarp.mpa.SetupFault;
import org.verbena.rdma.provider.iwarp.mpa.SetupFrame;
import org.verbena.rdma.provider.iwarp.mpa.SetupFrameReader;
import org.verbena.rdma.provider.iwarp.stream.StreamLoop;
import org.verbena.rdma.provider.iwarp.stream.TerminateFrame;
import org.verbena.rdma.provider.iwarp.wire.TerminateCode;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.EndpointUpcalls;

/**
 * The end that connects: TCP, MPA request, MPA reply, in this order, each with a time limit. A peer that closes on a
 * request of revision 2 without a word may be one that knows only revision 1, and gets a second chance with that.
 */
final class ActiveEndpoint extends IwarpEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(ActiveEndpoint.class);

    private enum Phase {
        IDLE,
        CONNECTING,
        REQUESTING,
        AWAITING_REPLY,
        ANSWERED,
        CONNECTED,
        OVER
    }

    private final InetSocketAddress source;
    private final EndpointOptions options;
    private final EndpointUpcalls upcalls;

    /** Whether routing chooses the source address by itself; written before the loop is told to connect. */
    private boolean sourceRouted;

    /** On the loop only, from here on. */
    private Phase phase = Phase.IDLE;

    private ConnectionParameters parameters;
    private int revision;
    private SetupFrame request;
    private ByteBuffer requestBytes;
    private SetupFrameReader reader;
    private SetupFrame reply;
    private Agreement agreement;

    /** Why the attempt before this one failed, if this is the second chance. */
    private RdmaError firstFailure;

    ActiveEndpoint(
            OpenDevice device,
            StreamLoop loop,
            InetSocketAddress source,
            InetSocketAddress destination,
            EndpointOptions options,
            EndpointUpcalls upcalls) {
        super(device, loop, source, destination);
        this.source = source;
        this.options = options;
        this.upcalls = upcalls;
        this.revision = device.settings().mpa().revision();
    }

    @Override
    EndpointUpcalls upcalls() {
        return upcalls;
    }

    /** Tells that there is nothing to resolve. At once: nothing else can be told before. */
    void resolved() {
        upcalls.addressResolved(localAddress());
    }

    @Override
    public void resolveRoute(Duration timeout) {
        InetAddress destination = peerAddress().getAddress();
        sourceRouted = Route.starts(source.getAddress(), destination);
        RdmaError error = sourceRouted ? RdmaError.SUCCESS : Route.find(source.getAddress(), destination);
        if (error == RdmaError.SUCCESS) {
            upcalls.routeResolved();
        } else {
            upcalls.routeError(error);
        }
    }

    @Override
    public void connect(ConnectionParameters wanted) {
        loop().execute(() -> {
            if (!isClosed() && phase == Phase.IDLE) {
                parameters = wanted;
                open();
            }
        });
    }

    @Override
    public void establish() throws RdmaException {
        RdmaException[] failure = new RdmaException[1];
        loop().executeAndWait(() -> {
            if (phase != Phase.ANSWERED || !connectQueuePair(agreement)) {
                failure[0] = new RdmaException(
                        RdmaError.CONNECTION_ABORTED, "the connection is gone, or its queue pair is in error");
                return;
            }
            phase = Phase.CONNECTED;
            markEstablished();
            startQueuePair();
        });
        if (failure[0] != null) {
            throw failure[0];
        }
    }

    @Override
    public void accept(ConnectionParameters ignored) throws RdmaException {
        throw notARequest();
    }

    @Override
    public void reject(ByteBuffer privateData) throws RdmaException {
        throw notARequest();
    }

    private static RdmaException notARequest() {
        return new RdmaException(RdmaError.INVALID_ARGUMENT, "this end connects; there is no request to answer");
    }

    @Override
    void abandon() {
        if (phase != Phase.CONNECTED) {
            dropSocket();
        } else if (queuePair() != null) {
            queuePair().abort(RdmaError.CONNECTION_ABORTED);
        }
        phase = Phase.OVER;
    }

    private void open() {
        try {
            adopt(SocketChannel.open(Route.family(source.getAddress())), options.typeOfService());
            bind();
            phase = Phase.CONNECTING;
            startTimer(device().settings().mpa().connectTimeout(), this::timedOut);
            // The peer may have answered at once; asking again costs less than a turn of the loop.
            if (channel().connect(peerAddress()) || channel().finishConnect()) {
                watch(0, this::ready);
                tcpConnected();
            } else {
                watch(SelectionKey.OP_CONNECT, this::ready);
            }
        } catch (IOException | RuntimeException e) {
            tcpFailed(e);
        }
    }

    /**
     * Binds to the source address, unless TCP would choose it anyway: a socket bound without a port takes that port for
     * itself, and ports would run out where many connections come and go.
     */
    private void bind() throws IOException {
        if (source.getPort() != 0) {
            // Lets it be used again while an earlier connection of this port is in TIME-WAIT.
            channel().setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel().bind(source);
        } else if (!sourceRouted) {
            channel().bind(source);
        }
    }

    private void ready(int operations) {
        switch (phase) {
            case CONNECTING -> {
                try {
                    if (!channel().finishConnect()) {
                        return;
                    }
                } catch (IOException e) {
                    tcpFailed(e);
                    return;
                }
                tcpConnected();
            }
            case REQUESTING -> writeRequest();
            case AWAITING_REPLY -> readReply();
            default -> key().interestOps(0);
        }
    }

    private void tcpConnected() {
        try {
            addresses((InetSocketAddress) channel().getLocalAddress(), peerAddress());
        } catch (IOException e) {
            tcpFailed(e);
            return;
        }
        if (!localAddress().getAddress().equals(source.getAddress())) {
            tcpFailed(new SocketException("routing does not lead from the source any more"));
            return;
        }
        if (localAddress().equals(peerAddress())) {
            // TCP connects a socket to itself if its port happens to be the one that nobody listens at.
            over();
            dropSocket();
            upcalls.rejected(RejectReason.NO_LISTENER, nothing());
            return;
        }
        request = device().negotiation().request(parameters, revision);
        requestBytes = request.encode();
        reader = new SetupFrameReader(false);
        phase = Phase.REQUESTING;
        startTimer(device().settings().mpa().replyTimeout(), this::timedOut);
        writeRequest();
    }

    private void writeRequest() {
        try {
            channel().write(requestBytes);
        } catch (IOException e) {
            handshakeFailed(RdmaError.CONNECTION_RESET, e);
            return;
        }
        if (requestBytes.hasRemaining()) {
            key().interestOps(SelectionKey.OP_WRITE);
        } else {
            phase = Phase.AWAITING_REPLY;
            key().interestOps(SelectionKey.OP_READ);
        }
    }

    private void readReply() {
        try {
            reply = reader.read(channel());
            if (reply == null) {
                return;
            }
            key().interestOps(0);
            cancelTimer();
            if (reply.rejects()) {
                rejected(RejectReason.CONSUMER, reply.privateData());
                return;
            }
            agreement = device().negotiation().connected(request, reply, parameters);
        } catch (SetupFault e) {
            if (e.terminate() != null) {
                over();
                lingerSocket(terminate(e.terminate()));
                LOG.debug("The connection from {} to {} cannot be set up", localAddress(), peerAddress(), e);
                upcalls.connectError(e.error());
            } else {
                handshakeFailed(e.error(), e);
            }
            return;
        } catch (IOException e) {
            handshakeFailed(RdmaError.CONNECTION_RESET, e);
            return;
        }
        answered();
    }

    private ByteBuffer terminate(TerminateCode code) {
        counters().terminateSent(code);
        counters().handshakeFailed();
        ByteBuffer frame = ByteBuffer.allocate(TerminateFrame.MAX_BYTES);
        boolean crc = reply.wantsCrc() || request.wantsCrc();
        TerminateFrame.put(frame, code, null, crc, reply.wantsMarkers() ? 0 : -1);
        return frame.flip();
    }

    private void answered() {
        ConnectionParameters told = device().negotiation().seenFromHere(reply);
        if (queuePair() == null) {
            phase = Phase.ANSWERED;
            upcalls.connectResponse(told);
            return;
        }
        if (!connectQueuePair(agreement)) {
            over();
            dropSocket();
            upcalls.connectError(RdmaError.CONNECTION_ABORTED);
            return;
        }
        phase = Phase.CONNECTED;
        markEstablished();
        upcalls.established(told);
        startQueuePair();
    }

    private void tcpFailed(Exception cause) {
        LOG.debug("No TCP connection from {} to {}", source, peerAddress(), cause);
        over();
        dropSocket();
        if (firstFailure != null) {
            upcalls.connectError(firstFailure);
        } else if (cause instanceof NoRouteToHostException) {
            upcalls.unreachable(RdmaError.HOST_UNREACHABLE);
        } else if (cause instanceof ConnectException) {
            connectionRefused(String.valueOf(cause.getMessage()));
        } else if (cause instanceof BindException) {
            upcalls.connectError(RdmaError.ADDRESS_IN_USE);
        } else if (cause instanceof IOException) {
            upcalls.unreachable(RdmaError.NETWORK_UNREACHABLE);
        } else {
            upcalls.connectError(RdmaError.INVALID_ARGUMENT);
        }
    }

    /** Java has one exception for several errors of connect, told apart by the text of the operating system alone. */
    private void connectionRefused(String message) {
        if (message.contains("refused")) {
            upcalls.rejected(RejectReason.NO_LISTENER, nothing());
        } else if (message.contains("timed out")) {
            upcalls.unreachable(RdmaError.TIMED_OUT);
        } else if (message.contains("reset")) {
            upcalls.connectError(RdmaError.CONNECTION_RESET);
        } else {
            upcalls.unreachable(RdmaError.NETWORK_UNREACHABLE);
        }
    }

    private void handshakeFailed(RdmaError error, Exception cause) {
        LOG.debug("The handshake from {} to {} has failed", localAddress(), peerAddress(), cause);
        dropSocket();
        cancelTimer();
        boolean silent = error == RdmaError.CONNECTION_RESET && reader.isEmpty();
        if (silent && revision > 1) {
            revision = 1;
            firstFailure = error;
            open();
            return;
        }
        counters().handshakeFailed();
        over();
        upcalls.connectError(error);
    }

    private void timedOut() {
        if (phase != Phase.CONNECTING) {
            counters().handshakeFailed();
        }
        over();
        dropSocket();
        if (firstFailure != null) {
            upcalls.connectError(firstFailure);
        } else {
            upcalls.unreachable(RdmaError.TIMED_OUT);
        }
    }

    private void rejected(RejectReason reason, ByteBuffer privateData) {
        over();
        lingerSocket(nothing());
        upcalls.rejected(reason, privateData);
    }

    private void over() {
        phase = Phase.OVER;
        cancelTimer();
        failQueuePair();
    }

    @Override
    public void begun() {
        // Told to the accepting side only.
    }
}
