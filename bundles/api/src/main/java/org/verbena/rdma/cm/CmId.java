package org.verbena.rdma.cm;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;

/**
 * A connection id: one end of a connection, or a listener ({@code rdma_create_id(3)}).
 *
 * <p>Calls that need an answer return at once; the answer is an event. A call that is not legal in the state of the id
 * throws {@link IllegalStateException} that names the state; a call that fails changes nothing. After destroy every call
 * but {@link #destroy()}, {@link #destroyed()} and the getters throws {@link IllegalStateException}; after the removal of
 * its device all calls that need the device throw {@link org.verbena.rdma.DeviceRemovedException}. All methods may be
 * called on any thread, also inside callbacks.
 */
@ProviderType
public interface CmId {
    /**
     * Returns where the id stands.
     *
     * @return the state
     */
    CmState state();

    /**
     * Returns where its ports live.
     *
     * @return the port space
     */
    PortSpace portSpace();

    /**
     * Binds to a local address. State IDLE to ADDR_BOUND.
     *
     * @param local an address of a device, or the wildcard address of a family for all devices; port 0 takes a free one
     * @throws IllegalStateException if the id is not IDLE
     * @throws RdmaException with ADDRESS_NOT_AVAILABLE if no device has the address or the id is pinned to another
     *     device, ADDRESS_IN_USE or ADDRESS_NOT_AVAILABLE if the port is taken, ACCESS_DENIED if the port needs a
     *     privilege, INVALID_ARGUMENT if the address is unresolved or link-local without a scope
     */
    void bindAddress(InetSocketAddress local) throws RdmaException;

    /**
     * Finds the device that leads to a destination. State IDLE or ADDR_BOUND to ADDR_QUERY, then with the event to
     * ADDR_RESOLVED or back to ADDR_BOUND.
     *
     * @param source a local address, or {@code null} to let routing choose; not used if the id is bound
     * @param destination where to connect to; a wildcard address means this machine
     * @param timeout how long to wait, greater than zero
     * @throws IllegalStateException if the id is neither IDLE nor ADDR_BOUND
     * @throws RdmaException with NETWORK_UNREACHABLE if no device leads there, INVALID_ARGUMENT for an unresolved
     *     address, families that differ, a link-local address without a scope, or a timeout that is not positive
     */
    void resolveAddress(InetSocketAddress source, InetSocketAddress destination, Duration timeout) throws RdmaException;

    /**
     * Finds the route. State ADDR_RESOLVED to ROUTE_QUERY, then with the event to ROUTE_RESOLVED or back.
     *
     * @param timeout how long to wait, greater than zero
     * @throws IllegalStateException if the id is not ADDR_RESOLVED
     * @throws RdmaException with INVALID_ARGUMENT if the timeout is not positive
     */
    void resolveRoute(Duration timeout) throws RdmaException;

    /**
     * Makes the queue pair of this id, on its device: after ADDR_RESOLVED, or on a requested id before accept.
     *
     * @param protectionDomain a domain of the id's device
     * @param configuration how to make it
     * @return the queue pair; it is closed with the id, or before it
     * @throws IllegalStateException if the id has no device yet, or has a queue pair
     * @throws IllegalArgumentException if the domain or a completion queue is of another device
     * @throws RdmaException if the device does not take the configuration
     */
    QueuePair createQueuePair(ProtectionDomain protectionDomain, QueuePairConfiguration configuration)
            throws RdmaException;

    /**
     * Asks the peer for a connection. State ROUTE_RESOLVED to CONNECT. Without a queue pair the answer is
     * CONNECT_RESPONSE, to be followed by {@link #createQueuePair} and {@link #establish()}. On iWARP the connecting side
     * sends the first message (RFC 5044, section 7.1.3).
     *
     * @param parameters what to tell the peer
     * @throws IllegalStateException if the id is not ROUTE_RESOLVED
     * @throws RdmaException with TOO_LARGE if the private data does not fit, INVALID_ARGUMENT if a resource count is
     *     above the limit of the device
     */
    void connect(ConnectionParameters parameters) throws RdmaException;

    /**
     * Ends the set-up after CONNECT_RESPONSE. When it has returned the connection carries data; no event follows.
     *
     * @throws IllegalStateException if no response has come, or the id has no queue pair
     * @throws RdmaException if the connection is gone
     */
    void establish() throws RdmaException;

    /** What {@link #notify(Observation)} reports. */
    enum Observation {
        /** A message has arrived although ESTABLISHED has not ({@code IBV_EVENT_COMM_EST}). */
        COMMUNICATION_ESTABLISHED
    }

    /**
     * Tells connection management what the consumer has seen on the queue pair ({@code rdma_notify(3)}). May bring
     * ESTABLISHED forward; otherwise does nothing.
     *
     * @param observation what was seen
     * @throws IllegalStateException if the id is not CONNECT
     * @throws RdmaException if the connection is gone
     */
    void notify(Observation observation) throws RdmaException;

    /**
     * Listens. State ADDR_BOUND to LISTEN; an IDLE id is first bound to the IPv4 wildcard and a free port. A listener on
     * a wildcard follows devices and addresses as they come and go.
     *
     * @param backlog how many requests may wait for their callback, 1 or more; 0 for a default of 256. Beyond it peers
     *     are refused.
     * @throws IllegalStateException if the id is neither IDLE nor ADDR_BOUND
     * @throws RdmaException with ADDRESS_IN_USE or ADDRESS_NOT_AVAILABLE if the port is taken, on any device
     */
    void listen(int backlog) throws RdmaException;

    /**
     * Accepts a requested connection. The id stays in state CONNECT; ESTABLISHED or CONNECT_ERROR follows.
     *
     * @param parameters what to tell the peer; counts above what the peer or the device can do are lowered when they are
     *     MAXIMUM, and refused otherwise
     * @throws IllegalStateException if there is no request, it is answered already, or the id has no queue pair
     * @throws RdmaException with TOO_LARGE if the private data does not fit, CONNECTION_RESET if the peer has gone
     */
    void accept(ConnectionParameters parameters) throws RdmaException;

    /**
     * Refuses a requested connection. Destroy the id afterwards.
     *
     * @param privateData data for the peer, or {@code null} for none
     * @throws IllegalStateException if there is no request, or it is answered already
     * @throws RdmaException with TOO_LARGE if the private data does not fit
     */
    void reject(ByteBuffer privateData) throws RdmaException;

    /**
     * Ends the connection. DISCONNECTED follows, and state DISCONNECT with it; the queue pair goes to error. Does nothing
     * in state DISCONNECT.
     *
     * @throws IllegalStateException if the id is neither CONNECT nor DISCONNECT
     * @throws RdmaException if the device reports an error
     */
    void disconnect() throws RdmaException;

    /**
     * Destroys the id: cancels what is pending, refuses an unanswered request, ends a connection, closes the queue pair.
     * Outside of callbacks it waits for a callback of this id that runs, and when it has returned none runs or will.
     * Inside any callback it does not wait; see {@link #destroyed()}. May be called again and again.
     *
     * @throws IllegalStateException if the device was removed meanwhile and the callback that this waits for did not end
     *     by the deadline; names the bundle and the thread. The id is destroyed when the callback ends.
     */
    void destroy();

    /**
     * Returns the stage that completes when the id is destroyed and no callback of it runs or will.
     *
     * @return the stage; its continuations run on the dispatcher and count as callbacks
     */
    CompletionStage<Void> destroyed();

    /**
     * Replaces the handler, from the next event on.
     *
     * @param handler the new handler
     */
    void handler(EventHandler handler);

    /**
     * Returns the device.
     *
     * @return the device that the id is bound to, or {@code null}
     */
    RdmaDevice device();

    /**
     * Returns the queue pair.
     *
     * @return the queue pair of this id, or {@code null}
     */
    QueuePair queuePair();

    /**
     * Returns the local address.
     *
     * @return address and port, or {@code null} while there is none
     */
    InetSocketAddress localAddress();

    /**
     * Returns the address of the peer.
     *
     * @return address and port, or {@code null} while there is none
     */
    InetSocketAddress peerAddress();

    /**
     * Sets the type of service of what is sent ({@code RDMA_OPTION_ID_TOS}). Takes effect with the next
     * {@link #resolveAddress} or {@link #listen}; children of a listener have it too.
     *
     * @param typeOfService 0 to 255
     * @throws IllegalArgumentException if it is out of range
     * @throws IllegalStateException if the id is past ROUTE_RESOLVED or listens
     */
    void typeOfService(int typeOfService);

    /**
     * Lets several ids bind the same address if all of them allow it ({@code RDMA_OPTION_ID_REUSEADDR}). At most one of
     * them can listen.
     *
     * @param reuse whether to allow it; it can be taken back only in state IDLE
     * @throws IllegalStateException if the id listens, or it is taken back in a state other than IDLE
     */
    void reuseAddress(boolean reuse);

    /**
     * Restricts an IPv6 wildcard to IPv6 ({@code RDMA_OPTION_ID_AFONLY}). Off at first: an IPv6 wildcard takes IPv4 too.
     *
     * @param only whether to restrict it
     * @throws IllegalStateException if the id is neither IDLE nor ADDR_BOUND
     */
    void addressFamilyOnly(boolean only);

    /**
     * Sets how long the transport waits for an acknowledgement ({@code RDMA_OPTION_ID_ACK_TIMEOUT}). iWARP has none of its
     * own and ignores it.
     *
     * @param exponent 0 to 31, for 4.096 microseconds times two to this power; 0 waits without end
     * @throws IllegalArgumentException if it is out of range
     * @throws IllegalStateException if the id is past ROUTE_RESOLVED or listens
     */
    void ackTimeout(int exponent);
}
