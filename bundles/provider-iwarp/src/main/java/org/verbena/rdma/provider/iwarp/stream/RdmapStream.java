package org.verbena.rdma.provider.iwarp.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.loop.ReadyHandler;
import org.verbena.rdma.provider.iwarp.loop.Timer;
import org.verbena.rdma.provider.iwarp.mpa.Agreement;
import org.verbena.rdma.provider.iwarp.queue.CompletionRing;
import org.verbena.rdma.provider.iwarp.wire.Fpdu;
import org.verbena.rdma.provider.iwarp.wire.TerminateCode;

/**
 * A connected socket in full operation, from the first frame to its end, in good order or not. Loop only.
 *
 * <p>An end in good order: what was posted before is sent and answered, then this side says that it sends no more (a
 * half close), goes on receiving until the peer says so too, and ends. When the peer is first, what was posted before is
 * still sent. Both are limited by a time.
 */
final class RdmapStream implements ReadyHandler, Lease.Leased {
    private static final Logger LOG = LoggerFactory.getLogger(RdmapStream.class);

    private static final long RETRY_NANOS = 50_000;

    private enum State {
        OPEN,
        /** This side ends: what was posted before goes out. */
        FINISHING,
        /** This side has said that it sends no more. */
        FINISHED,
        /** The peer sends no more: what was posted before goes out. */
        PEER_FINISHED,
        ENDED
    }

    private final StreamLoop loop;
    private final SocketChannel channel;
    private final IwarpQueuePair queuePair;
    private final SendQueue sends;
    private final Inbound inbound;
    private final Outbound outbound;
    private final ReadResponses responses;
    private final OutstandingReads reads;
    private final StreamCounters counters;
    private final Agreement agreement;
    private final StreamSettings settings;
    private final StreamListener listener;
    private final Lease lease;
    private SelectionKey key;
    private State state = State.OPEN;

    /** TCP takes no more until it says so. */
    private boolean blocked;

    private long blockedSince;

    /** The selector is asked to tell when TCP takes more. */
    private boolean watched;

    private boolean beginTold;
    private Timer timer;

    RdmapStream(
            StreamLoop loop,
            SocketChannel channel,
            IwarpQueuePair queuePair,
            SendQueue sends,
            Inbound inbound,
            Outbound outbound,
            ReadResponses responses,
            OutstandingReads reads,
            StreamCounters counters,
            Agreement agreement,
            StreamSettings settings,
            StreamListener listener,
            CompletionRing receiveCompletions,
            CompletionRing sendCompletions) {
        this.loop = loop;
        this.channel = channel;
        this.queuePair = queuePair;
        this.sends = sends;
        this.inbound = inbound;
        this.outbound = outbound;
        this.responses = responses;
        this.reads = reads;
        this.counters = counters;
        this.agreement = agreement;
        this.settings = settings;
        this.listener = listener;
        this.beginTold = agreement.initiator();
        this.lease = new Lease(loop.loop(), settings.pollers(), receiveCompletions, sendCompletions, this);
    }

    Lease lease() {
        return lease;
    }

    /** Begins, with the socket's key on the loop. */
    void start(SelectionKey ownKey) {
        if (state == State.ENDED) {
            return;
        }
        key = ownKey;
        key.attach(this);
        key.interestOps(SelectionKey.OP_READ);
        loop.loop().selectAnew();
        if (agreement.initiator() && agreement.readyToReceive() != null) {
            outbound.announce(agreement.readyToReceive());
        }
        pump();
    }

    @Override
    public void ready(int operations) {
        try {
            // What the peer has said comes first: it may be why nothing can be written any more.
            if ((operations & SelectionKey.OP_READ) != 0) {
                receive();
                pump();
                if (state == State.OPEN || state == State.FINISHING) {
                    lease.consider();
                }
            }
            if ((operations & SelectionKey.OP_WRITE) != 0) {
                blocked = false;
                pump();
            }
        } catch (RuntimeException | Error e) {
            LOG.error("A connection failed in an unforeseen way", e);
            end(RdmaError.INPUT_OUTPUT, null);
        }
    }

    @Override
    public boolean serve(boolean readFirst) {
        // Nobody tells when TCP takes more: try, but not so often that little goes each time.
        boolean retry = blocked && System.nanoTime() - blockedSince >= RETRY_NANOS;
        if (retry) {
            blocked = false;
        }
        try {
            receive();
            boolean received = inbound.hasJustReceived();
            if (!received ? retry || readFirst : !readFirst) {
                pump();
            } else if (received) {
                queuePair.schedule();
            }
            return received;
        } catch (RuntimeException | Error e) {
            LOG.error("A connection failed in an unforeseen way", e);
            end(RdmaError.INPUT_OUTPUT, null);
            return false;
        }
    }

    @Override
    public void leaseChanged() {
        if (state != State.ENDED && key.isValid()) {
            watchReadable();
            watchWritable(blocked);
        }
    }

    private void watchReadable() {
        if (state == State.PEER_FINISHED || lease.isActive()) {
            key.interestOpsAnd(~SelectionKey.OP_READ);
        } else {
            key.interestOpsOr(SelectionKey.OP_READ);
        }
        loop.loop().selectAnew();
    }

    /** There may be something to send. */
    void pump() {
        if (key == null || blocked || !key.isValid() || state == State.ENDED || state == State.FINISHED) {
            return;
        }
        try {
            Outbound.Progress progress = outbound.pump(channel);
            if (state == State.ENDED) {
                return;
            }
            watchWritable(progress == Outbound.Progress.BLOCKED);
            if (progress == Outbound.Progress.MORE) {
                queuePair.schedule();
            }
            finishIfDrained();
        } catch (StreamFault e) {
            terminate(e.code(), null, RdmaError.CONNECTION_ABORTED);
        } catch (LocalFault e) {
            terminate(TerminateCode.LOCAL_CATASTROPHIC, null, RdmaError.CONNECTION_ABORTED);
        } catch (IOException e) {
            LOG.debug("A connection is lost", e);
            readLastWord();
            end(state == State.PEER_FINISHED ? RdmaError.SUCCESS : RdmaError.CONNECTION_RESET, null);
        }
    }

    /** A peer that has closed may have said why: its Terminate is behind what it had sent before. */
    private void readLastWord() {
        try {
            while (inbound.read(channel) == Inbound.Progress.MORE) {
                continue;
            }
        } catch (PeerTerminated e) {
            blame(e);
        } catch (IOException | StreamFault | LocalFault e) {
            LOG.debug("A lost connection has no last word", e);
        }
    }

    /** Ends in good order. */
    void finish() {
        if (state == State.OPEN) {
            state = State.FINISHING;
            outbound.limit(sends.ring().claimed());
            startTimer();
            pump();
            finishIfDrained();
        }
    }

    /** Ends at once. */
    void abort(RdmaError status) {
        if (state != State.ENDED) {
            end(status, ByteBuffer.allocate(0));
        }
    }

    private void receive() {
        try {
            Inbound.Progress progress = inbound.read(channel);
            if (state == State.ENDED) {
                return;
            }
            if (!beginTold && inbound.hasBegun()) {
                beginTold = true;
                outbound.open();
                listener.begun();
            }
            if (state == State.FINISHED && !responses.isEmpty()) {
                // The peer asks for data although nothing can be sent to it any more.
                end(RdmaError.SUCCESS, ByteBuffer.allocate(0));
                return;
            }
            switch (progress) {
                case BROKEN -> end(RdmaError.CONNECTION_RESET, null);
                case END -> peerFinished();
                default -> {
                    // Who has called writes what is to be written.
                }
            }
        } catch (StreamFault e) {
            ByteBuffer offending = e.code().showsSegment() ? inbound.offendingHeader() : null;
            terminate(e.code(), offending, RdmaError.PROTOCOL);
        } catch (LocalFault e) {
            terminate(TerminateCode.LOCAL_CATASTROPHIC, null, RdmaError.CONNECTION_ABORTED);
        } catch (PeerTerminated e) {
            LOG.debug("The peer terminates the connection with code {}", Integer.toHexString(e.code()));
            blame(e);
            end(RdmaError.CONNECTION_RESET, ByteBuffer.allocate(0));
        } catch (IOException e) {
            LOG.debug("A connection is lost", e);
            end(RdmaError.CONNECTION_RESET, null);
        }
    }

    private void peerFinished() {
        if (state == State.FINISHED || reads.count() > 0) {
            end(RdmaError.SUCCESS, null);
            return;
        }
        if (state == State.OPEN) {
            outbound.limit(sends.ring().claimed());
            startTimer();
        }
        state = State.PEER_FINISHED;
        lease.end();
        watchReadable();
        pump();
        finishIfDrained();
    }

    private void finishIfDrained() {
        boolean finishing = state == State.FINISHING || state == State.PEER_FINISHED;
        if (!finishing || !outbound.isDrained()) {
            return;
        }
        if (state == State.PEER_FINISHED) {
            end(RdmaError.SUCCESS, null);
            return;
        }
        state = State.FINISHED;
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            LOG.debug("A connection is lost", e);
            end(RdmaError.CONNECTION_RESET, null);
        }
    }

    private void watchWritable(boolean wanted) {
        blocked = wanted;
        if (wanted) {
            blockedSince = System.nanoTime();
        }
        boolean watch = wanted && !lease.isActive();
        if (watched != watch) {
            watched = watch;
            if (watch) {
                key.interestOpsOr(SelectionKey.OP_WRITE);
            } else {
                key.interestOpsAnd(~SelectionKey.OP_WRITE);
            }
            loop.loop().selectAnew();
        }
    }

    private void startTimer() {
        timer = loop.loop().after(settings.closeTimeout().toNanos(), () -> abort(RdmaError.TIMED_OUT));
    }

    /** Finds the request that made the peer terminate, as far as its Terminate and what is outstanding tell. */
    private void blame(PeerTerminated terminate) {
        counters.terminateReceived(terminate.code());
        listener.terminated(false, terminate.code());
        WorkCompletionStatus status = statusOf(terminate.code());
        long position;
        if (terminate.showsReadRequest()) {
            position = outbound.outstandingRead(terminate.stagOrSequence());
        } else if (terminate.showsWrite()) {
            position = sends.oldestWrite(terminate.stagOrSequence());
        } else if (terminate.showsSegment() || status != WorkCompletionStatus.REMOTE_ACCESS_ERROR) {
            position = sends.oldest(SendOperation.SEND);
        } else {
            position = sends.oldest(SendOperation.READ);
        }
        if (position >= 0) {
            sends.blame(position, status, terminate.code());
        }
    }

    private static WorkCompletionStatus statusOf(int code) {
        int layerAndType = code >>> 8;
        if (layerAndType == 0x01 || layerAndType == 0x11) {
            return WorkCompletionStatus.REMOTE_ACCESS_ERROR;
        }
        if (code == TerminateCode.UNTAGGED_NO_BUFFER.value()) {
            return WorkCompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED;
        }
        if (layerAndType == 0x02 || layerAndType == 0x12) {
            return WorkCompletionStatus.REMOTE_INVALID_REQUEST;
        }
        return WorkCompletionStatus.REMOTE_OPERATION_ERROR;
    }

    private void terminate(TerminateCode code, ByteBuffer offending, RdmaError status) {
        LOG.debug("A connection is terminated with {}", code);
        Batch unwritten = outbound.unwritten();
        int rest = unwritten == null ? 0 : Fpdu.MAX_BYTES;
        ByteBuffer lastWord = ByteBuffer.allocate(rest + TerminateFrame.MAX_BYTES);
        if (state != State.FINISHED && (unwritten == null || unwritten.copyRestOfFrame(lastWord))) {
            long markersFrom = agreement.markers() ? outbound.endOfLastFrame() : -1;
            counters.terminateSent(code);
            listener.terminated(true, code.value());
            TerminateFrame.put(lastWord, code, offending, agreement.crc(), markersFrom);
        } else {
            lastWord.clear();
        }
        end(status, lastWord.flip());
    }

    /**
     * Ends the stream.
     *
     * @param lastWord what the peer shall still get, or {@code null} to close the socket at once
     */
    private void end(RdmaError status, ByteBuffer lastWord) {
        if (state == State.ENDED) {
            return;
        }
        state = State.ENDED;
        if (timer != null) {
            timer.cancel();
        }
        lease.end();
        outbound.discard();
        inbound.discard();
        if (lastWord == null) {
            LingeringSocket.closeQuietly(channel);
        } else {
            LingeringSocket.linger(loop.loop(), channel, key, lastWord, settings.lingerTime());
        }
        loop.loop().selectAnew();
        queuePair.streamEnded();
        listener.ended(status);
    }
}
