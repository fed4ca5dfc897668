package org.verbena.rdma.spi;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.osgi.annotation.versioning.ConsumerType;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;

/**
 * One end of a connection in the making, connected, or done. Made by {@link ProviderDevice#resolve} or by an incoming
 * request; core calls in the order that the states of an id allow, one call at a time.
 */
@ConsumerType
public interface Endpoint {
    /**
     * Returns the local address as far as it is known.
     *
     * @return address and port
     */
    InetSocketAddress localAddress();

    /**
     * Returns the address of the peer.
     *
     * @return address and port
     */
    InetSocketAddress peerAddress();

    /**
     * Begins to find the route. The outcome is {@link EndpointUpcalls#routeResolved} or
     * {@link EndpointUpcalls#routeError}.
     *
     * @param timeout when to give up
     * @throws RdmaException if nothing was begun
     */
    void resolveRoute(Duration timeout) throws RdmaException;

    /**
     * Makes the queue pair of this endpoint. The completion queues and the shared receive queue of the configuration are
     * core's; use those of {@code resources}.
     *
     * @param resources the provider's own objects that the queue pair is made of
     * @param configuration the sizes
     * @return a new queue pair, of which an endpoint has at most one at a time
     * @throws RdmaException if the device refuses
     */
    ProviderQueuePair createQueuePair(QueuePairResources resources, QueuePairConfiguration configuration)
            throws RdmaException;

    /**
     * Begins to connect. The outcome is {@link EndpointUpcalls#established}, or
     * {@link EndpointUpcalls#connectResponse} if there is no queue pair, or one of {@link EndpointUpcalls#rejected},
     * {@link EndpointUpcalls#unreachable}, {@link EndpointUpcalls#connectError}.
     *
     * @param parameters what to tell the peer; resource counts are actual numbers, not MAXIMUM and not UNKNOWN
     * @throws RdmaException if nothing was begun
     */
    void connect(ConnectionParameters parameters) throws RdmaException;

    /**
     * Ends the set-up after {@link EndpointUpcalls#connectResponse}, with the queue pair that was made meanwhile.
     *
     * @throws RdmaException if the connection is gone
     */
    void establish() throws RdmaException;

    /**
     * The consumer has seen a message although {@link EndpointUpcalls#established} has not been raised.
     *
     * @throws RdmaException if the connection is gone
     */
    default void communicationEstablished() throws RdmaException {}

    /**
     * Accepts the request. The outcome is {@link EndpointUpcalls#established} or {@link EndpointUpcalls#connectError}.
     *
     * @param parameters what to tell the peer; resource counts are actual numbers
     * @throws RdmaException if the peer has gone
     */
    void accept(ConnectionParameters parameters) throws RdmaException;

    /**
     * Refuses the request on behalf of the consumer.
     *
     * @param privateData what to tell the peer, may be empty
     * @throws RdmaException if the peer has gone
     */
    void reject(ByteBuffer privateData) throws RdmaException;

    /**
     * Begins to end the connection in good order: what was posted before is still carried out if the peer lets it. The
     * outcome is {@link EndpointUpcalls#disconnected}, by a timer of the provider's if the peer does not answer.
     *
     * @throws RdmaException if there is no connection
     */
    void disconnect() throws RdmaException;

    /**
     * Frees the endpoint: cancels what it does, refuses a request that was not answered, ends a connection. Its queue pair
     * was closed before. No upcall is made any more when this has returned.
     */
    void close();
}
