package org.verbena.rdma.spi;

import org.osgi.annotation.versioning.ConsumerType;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaException;

/**
 * A queue pair of a provider. The two post methods may be called by several threads at a time; they allocate nothing,
 * never wait, and copy what they need of the request before they return.
 */
@ConsumerType
public interface ProviderQueuePair {
    /**
     * Returns the number.
     *
     * @return 24 bits, unique on the device while the queue pair lives
     */
    int number();

    /**
     * Returns the state now.
     *
     * @return the state
     */
    QueuePairState state();

    /**
     * Posts to the send queue. In state ERROR the request is flushed. A request that cannot be carried out is reported
     * by its completion, not by a throw.
     *
     * @param request what to do; its regions are open and of this domain
     * @throws IllegalStateException if the queue pair is not connected yet
     * @throws RdmaException with NO_MEMORY if the queue is full
     */
    void postSend(SendRequest request) throws RdmaException;

    /**
     * Posts to the receive queue. In state ERROR the request is flushed.
     *
     * @param request where to put what comes
     * @throws RdmaException with NO_MEMORY if the queue is full
     */
    void postReceive(ReceiveRequest request) throws RdmaException;

    /**
     * Moves to ERROR. All that is outstanding is flushed, at once or soon, without waiting for the peer.
     *
     * @throws RdmaException if the device has failed
     */
    void fail() throws RdmaException;

    /**
     * Tells whether work was posted that is not done: neither carried out nor flushed. Decides whether a removal has to
     * wait for a consumer that keeps its id.
     *
     * @return {@code false} if certainly nothing is outstanding
     */
    default boolean hasOutstandingWork() {
        return true;
    }

    /**
     * Tells what was counted on the queue pair since it was made. Called on any thread and beside any other call but
     * {@link #close()}; holds up no traffic.
     *
     * @param sink where to tell it
     */
    default void readCounters(CounterSink sink) {}

    /**
     * Frees the queue pair. When this has returned, all work that was outstanding is in the completion queues, to be
     * polled there, and no buffer is touched on its behalf.
     */
    void close();
}
