package org.verbena.rdma.spi;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.osgi.annotation.versioning.ProviderType;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;

/**
 * What a provider tells core of an endpoint, one call at a time and in the order in which it happened. What does not fit
 * the state of the id is dropped by core. The queue pair has gone to error before {@link #rejected},
 * {@link #connectError}, {@link #unreachable} or {@link #disconnected} is raised.
 */
@ProviderType
public interface EndpointUpcalls {
    /**
     * The destination is resolved.
     *
     * @param local the local address, with a port if there is one already
     */
    void addressResolved(InetSocketAddress local);

    /**
     * The destination could not be resolved.
     *
     * @param error why
     */
    void addressError(RdmaError error);

    /** The route is resolved. */
    void routeResolved();

    /**
     * The route could not be resolved.
     *
     * @param error why
     */
    void routeError(RdmaError error);

    /**
     * The peer has accepted, and there is no queue pair yet.
     *
     * @param parameters what the peer tells, seen from here
     */
    void connectResponse(ConnectionParameters parameters);

    /**
     * The connection carries data.
     *
     * @param parameters what the peer tells, seen from here; on the accepting side without private data
     */
    void established(ConnectionParameters parameters);

    /**
     * The handshake has failed.
     *
     * @param error why
     */
    void connectError(RdmaError error);

    /**
     * The peer does not answer.
     *
     * @param error why, TIMED_OUT as a rule
     */
    void unreachable(RdmaError error);

    /**
     * The peer has refused.
     *
     * @param reason why
     * @param privateData what it tells, may be empty; copied before this returns
     */
    void rejected(RejectReason reason, ByteBuffer privateData);

    /**
     * The connection has ended.
     *
     * @param status SUCCESS for an end in good order, else what has ended it
     */
    void disconnected(RdmaError status);

    /** The network behind the local address has changed to other hardware. */
    void addressChanged();

    /** The queue pair has left the time-wait state. */
    void timewaitExit();
}
