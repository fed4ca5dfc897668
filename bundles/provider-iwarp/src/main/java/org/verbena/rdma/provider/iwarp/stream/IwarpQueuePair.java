package org.verbena.rdma.provider.iwarp.stream;

import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.iwarp.loop.LoopWork;
import org.verbena.rdma.provider.iwarp.memory.IwarpProtectionDomain;
import org.verbena.rdma.provider.iwarp.memory.StagTable;
import org.verbena.rdma.provider.iwarp.mpa.Agreement;
import org.verbena.rdma.provider.iwarp.queue.CompletionRing;
import org.verbena.rdma.provider.iwarp.queue.ReceiveRing;
import org.verbena.rdma.provider.iwarp.queue.SendRing;
import org.verbena.rdma.provider.iwarp.queue.SharedReceiveRing;
import org.verbena.rdma.spi.CounterSink;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.QueuePairResources;
import org.verbena.rdma.spi.ReceiveRequest;
import org.verbena.rdma.spi.SendRequest;

/**
 * A queue pair. Posting puts the request into a ring and lets the loop know; all else happens on the loop.
 *
 * <p>{@code state} is written on the loop only and read anywhere. A thread that posts first publishes the request and
 * then looks at the state; the loop first sets the state to ERROR and then flushes: one of the two sees the other, so
 * nothing posted is left behind.
 */
public final class IwarpQueuePair implements ProviderQueuePair {
    private final int number;
    private final StreamLoop loop;
    private final IwarpProtectionDomain domain;
    private final StagTable stags;
    private final int maxSendSegments;
    private final CompletionRing sendCompletions;
    private final CompletionRing receiveCompletions;
    private final SendRing sendRing;
    private final ReceiveRing receiveRing;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final StreamCounters counters;
    private final Runnable whenClosed;
    private final Work work = new Work();
    private final Runnable completionFailure = this::fail;
    private volatile QueuePairState state = QueuePairState.INITIALIZED;

    /** Written on the loop, once; {@code null} before there is a connection. */
    private volatile Lease lease;

    /** Used on the loop only. */
    private RdmapStream stream;

    public IwarpQueuePair(
            int number,
            StreamLoop loop,
            StagTable stags,
            QueuePairResources resources,
            QueuePairConfiguration configuration,
            Runnable whenClosed) {
        this.number = number;
        this.loop = loop;
        this.stags = stags;
        this.domain = (IwarpProtectionDomain) resources.protectionDomain();
        this.sendCompletions = (CompletionRing) resources.sendCompletionQueue();
        this.receiveCompletions = (CompletionRing) resources.receiveCompletionQueue();
        this.maxSendSegments = configuration.maxSendSegments();
        this.sendRing = new SendRing(configuration.maxSends(), maxSendSegments);
        this.counters = new StreamCounters(loop.counters());
        this.sends = new SendQueue(sendRing, sendCompletions, counters, number);
        SharedReceiveRing shared = (SharedReceiveRing) resources.sharedReceiveQueue();
        if (shared != null) {
            this.receiveRing = null;
            this.receives = new ReceiveQueue(shared, true, shared.maxSegments(), receiveCompletions, number);
        } else {
            int maxSegments = configuration.maxReceiveSegments();
            this.receiveRing = new ReceiveRing(configuration.maxReceives(), maxSegments);
            this.receives = new ReceiveQueue(receiveRing, false, maxSegments, receiveCompletions, number);
        }
        this.whenClosed = whenClosed;
        sendCompletions.attach(completionFailure);
        receiveCompletions.attach(completionFailure);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairState state() {
        return state;
    }

    @Override
    public void postSend(SendRequest request) throws RdmaException {
        if (state == QueuePairState.INITIALIZED) {
            throw new IllegalStateException("the queue pair is not connected yet: wait for ESTABLISHED");
        }
        sendRing.post(request);
        schedule();
    }

    @Override
    public void postReceive(ReceiveRequest request) throws RdmaException {
        receiveRing.post(request);
        if (state == QueuePairState.ERROR) {
            schedule();
        }
    }

    @Override
    public boolean hasOutstandingWork() {
        return !sendRing.isIdle() || receiveRing != null && !receiveRing.isIdle();
    }

    @Override
    public void readCounters(CounterSink sink) {
        counters.tell(sink);
    }

    @Override
    public void fail() {
        loop.loop().execute(this::failNow);
    }

    @Override
    public void close() {
        loop.loop().executeAndWait(this::closeNow);
    }

    /**
     * Becomes ready on a connected socket, on the loop. {@link #start} follows.
     *
     * @return {@code false} if the queue pair cannot be used any more
     */
    public boolean connect(
            SocketChannel channel, Agreement agreement, StreamSettings settings, StreamListener listener) {
        if (state != QueuePairState.INITIALIZED) {
            return false;
        }
        ReadResponses responses = new ReadResponses(agreement.ird());
        OutstandingReads reads = new OutstandingReads(agreement.ord());
        PeerExtensions extensions = new PeerExtensions(settings.extensions(), agreement.ord() > 0);
        Inbound inbound = new Inbound(
                loop,
                receives,
                sends,
                responses,
                reads,
                extensions,
                counters,
                domain,
                stags,
                agreement,
                maxSendSegments);
        Outbound outbound = new Outbound(
                loop,
                sends,
                responses,
                reads,
                extensions,
                counters,
                domain,
                agreement,
                maxSendSegments,
                settings.segmentBytes());
        stream = new RdmapStream(
                loop,
                channel,
                this,
                sends,
                inbound,
                outbound,
                responses,
                reads,
                counters,
                agreement,
                settings,
                listener,
                receiveCompletions,
                sendCompletions);
        lease = stream.lease();
        state = QueuePairState.READY;
        return true;
    }

    /** Begins to carry data, on the loop. */
    public void start(SelectionKey key) {
        stream.start(key);
    }

    /** Ends the connection in good order, on the loop. */
    public void finish() {
        if (stream != null) {
            stream.finish();
        }
    }

    /** Ends the connection at once, on the loop. */
    public void abort(RdmaError status) {
        if (stream != null) {
            stream.abort(status);
        }
    }

    /** Goes to ERROR without a connection that would have ended, on the loop. */
    public void connectFailed() {
        if (stream == null) {
            enterError();
        }
    }

    void schedule() {
        Lease now = lease;
        if (now != null && now.isActive()) {
            now.defer(work);
        } else {
            loop.loop().schedule(work);
        }
    }

    void streamEnded() {
        enterError();
    }

    private void failNow() {
        if (stream != null) {
            stream.abort(RdmaError.CONNECTION_ABORTED);
        }
        enterError();
    }

    private void closeNow() {
        if (state == QueuePairState.CLOSED) {
            return;
        }
        failNow();
        state = QueuePairState.CLOSED;
        sendCompletions.detach(completionFailure);
        receiveCompletions.detach(completionFailure);
        whenClosed.run();
    }

    private void enterError() {
        if (state != QueuePairState.CLOSED) {
            state = QueuePairState.ERROR;
            flush();
        }
    }

    private void flush() {
        sends.flush();
        receives.flush();
    }

    /** Looks at what was posted. */
    private final class Work extends LoopWork {
        @Override
        protected void run() {
            if (state == QueuePairState.ERROR) {
                flush();
            } else if (stream != null) {
                stream.pump();
            }
        }
    }
}
