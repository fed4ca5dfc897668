package org.verbena.rdma;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A send queue and a receive queue. Made on a connection id, by {@code CmId.createQueuePair}; it keeps its domain, its
 * completion queues and its shared receive queue from being closed. It is closed with its id, or before it.
 *
 * <p>Posting never waits and allocates nothing. Many threads may post; the order between them is theirs to settle.
 */
@ProviderType
public interface QueuePair extends VerbsObject {
    /**
     * Returns the number of the queue pair.
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
     * Returns the domain that the queue pair is in.
     *
     * @return the domain
     */
    ProtectionDomain protectionDomain();

    /**
     * Posts to the send queue. In state ERROR the request is taken and flushed. Memory that it refers to must stay as it is
     * until the request has completed: what is changed before may be sent old, new or mixed, and a transport that has summed
     * it up already (iWARP with CRCs) ends the connection.
     *
     * @param request what to do; it may be changed as soon as this returns
     * @throws IllegalArgumentException if the request was made by another domain, has more segments than the queue pair
     *     takes, or is not filled in
     * @throws IllegalStateException if the queue pair is not connected yet
     * @throws DeviceRemovedException if the device is gone
     * @throws RdmaException with {@link RdmaError#NO_MEMORY} if the queue is full, {@link RdmaError#BAD_ADDRESS} if a
     *     region is closed or lacks a right, {@link RdmaError#NOT_SUPPORTED} if the device lacks the operation,
     *     {@link RdmaError#TOO_LARGE} if the message is longer than the device takes
     */
    void postSend(SendWorkRequest request) throws RdmaException;

    /**
     * Posts to the receive queue. In state ERROR the request is taken and flushed.
     *
     * @param request where to put what comes; it may be changed as soon as this returns
     * @throws IllegalArgumentException if the request was made by another domain or has more segments than the queue
     *     pair takes
     * @throws IllegalStateException if the queue pair has a shared receive queue
     * @throws DeviceRemovedException if the device is gone
     * @throws RdmaException with {@link RdmaError#NO_MEMORY} if the queue is full, {@link RdmaError#BAD_ADDRESS} if a
     *     region is closed
     */
    void postReceive(ReceiveWorkRequest request) throws RdmaException;

    /**
     * Moves the queue pair to ERROR: what is outstanding is flushed, and so is all that is posted from now on. The
     * connection, if there is one, ends.
     *
     * @throws DeviceRemovedException if the device is gone
     * @throws RdmaException if the queue pair is closed
     */
    void fail() throws RdmaException;
}
