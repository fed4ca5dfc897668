package org.verbena.rdma.provider.loopback.connection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.loopback.schedule.Timer;
import org.verbena.rdma.provider.loopback.verbs.VerbsDevice;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.PathUpcalls;

/** The part of a device that makes endpoints, listeners and path queries. The set and the volatile fields are safe by themselves. */
public final class ConnectionDevice {
    private final VerbsDevice verbs;
    private final DeviceAttributes attributes;
    private final Timeouts timeouts;
    private final Neighbours neighbours;
    private final ListenerTable listeners;
    private final Executor upcalls;
    private final Timer timer;
    private final Set<LoopbackEndpoint> endpoints = ConcurrentHashMap.newKeySet();
    private volatile List<InetAddress> addresses;
    private volatile LinkState linkState;

    /**
     * Makes the part.
     *
     * @param verbs the part that makes verbs objects
     * @param attributes what the device takes
     * @param timeouts how long it waits
     * @param neighbours the addresses of its network
     * @param listeners the listeners of its network
     * @param upcalls makes upcalls, never on the stack of who hands them over
     * @param timer for what is due later
     * @param addresses the addresses of the device
     * @param linkState the state of its link
     */
    public ConnectionDevice(
            VerbsDevice verbs,
            DeviceAttributes attributes,
            Timeouts timeouts,
            Neighbours neighbours,
            ListenerTable listeners,
            Executor upcalls,
            Timer timer,
            List<InetAddress> addresses,
            LinkState linkState) {
        this.verbs = verbs;
        this.attributes = attributes;
        this.timeouts = timeouts;
        this.neighbours = neighbours;
        this.listeners = listeners;
        this.upcalls = upcalls;
        this.timer = timer;
        this.addresses = List.copyOf(addresses);
        this.linkState = linkState;
    }

    /**
     * Returns the addresses now.
     *
     * @return an unmodifiable list
     */
    public List<InetAddress> addresses() {
        return addresses;
    }

    /**
     * Changes the addresses.
     *
     * @param changed the new addresses
     */
    public void addresses(List<InetAddress> changed) {
        addresses = List.copyOf(changed);
    }

    /**
     * Returns the state of the link now.
     *
     * @return the state
     */
    public LinkState linkState() {
        return linkState;
    }

    /**
     * Changes the state of the link. While it is down no connection is set up; those that are there live on.
     *
     * @param changed the new state
     */
    public void linkState(LinkState changed) {
        linkState = changed;
    }

    /**
     * Tells whether the device answers at an address now.
     *
     * @param address an address
     * @return {@code true} if it has the address, its link, and is not gone
     */
    public boolean answers(InetAddress address) {
        return isOnNetwork() && addresses.contains(address);
    }

    /**
     * Tells whether a destination belongs to the network.
     *
     * @param destination an address
     * @return {@code true} if it does
     */
    public boolean reaches(InetAddress destination) {
        return neighbours.covers(destination);
    }

    /**
     * Makes a listener.
     *
     * @param portSpace where the port lives
     * @param local an address of the device and a port
     * @param backlog how many unanswered requests to keep
     * @param listenerUpcalls where to tell of requests
     * @return a new listener
     * @throws RdmaException if the device is gone, lacks the address, or the port is taken
     */
    public LoopbackListener listen(
            PortSpace portSpace, InetSocketAddress local, int backlog, ListenerUpcalls listenerUpcalls)
            throws RdmaException {
        verbs.checkPresent();
        checkOwn(local.getAddress());
        ListenAddress at = new ListenAddress(portSpace, local);
        LoopbackListener listener = new LoopbackListener(this, at, backlog, listenerUpcalls);
        listeners.add(at, listener);
        return listener;
    }

    /**
     * Makes an endpoint and resolves its destination.
     *
     * @param portSpace where the ports live
     * @param source an address of the device and a port
     * @param destination address and port of the peer
     * @param endpointUpcalls where to tell what happens
     * @return a new endpoint
     * @throws RdmaException if the device is gone or lacks the address
     */
    public LoopbackEndpoint resolve(
            PortSpace portSpace,
            InetSocketAddress source,
            InetSocketAddress destination,
            EndpointUpcalls endpointUpcalls)
            throws RdmaException {
        verbs.checkPresent();
        checkOwn(source.getAddress());
        LoopbackEndpoint endpoint = LoopbackEndpoint.active(this, portSpace, source, destination, endpointUpcalls);
        endpoint.resolveAddress();
        return endpoint;
    }

    /**
     * Looks for a path.
     *
     * @param source an address of the device
     * @param destination the address of the peer
     * @param timeout when to give up
     * @param pathUpcalls where to tell the outcome
     * @return the query under way
     * @throws RdmaException if the device is gone or lacks the address
     */
    public LoopbackPathQuery queryPath(
            InetAddress source, InetAddress destination, Duration timeout, PathUpcalls pathUpcalls)
            throws RdmaException {
        verbs.checkPresent();
        checkOwn(source);
        LoopbackPathQuery query = new LoopbackPathQuery(this, pathUpcalls);
        query.start(source, destination, timeout);
        return query;
    }

    /** Tells all listeners and endpoints that the network behind their addresses has changed. */
    public void tellAddressChanged() {
        listeners.of(this).forEach(LoopbackListener::tellAddressChanged);
        endpoints.forEach(endpoint -> endpoint.tell(EndpointUpcalls::addressChanged));
    }

    /**
     * Ends all connections as a failure of the network does.
     *
     * @param error what the endpoints of this device are told
     */
    public void breakConnections(RdmaError error) {
        endpoints.forEach(endpoint -> endpoint.breakConnection(error));
    }

    VerbsDevice verbs() {
        return verbs;
    }

    DeviceAttributes attributes() {
        return attributes;
    }

    Timeouts timeouts() {
        return timeouts;
    }

    Neighbours neighbours() {
        return neighbours;
    }

    ListenerTable listeners() {
        return listeners;
    }

    Executor upcalls() {
        return upcalls;
    }

    Timer timer() {
        return timer;
    }

    void opened(LoopbackEndpoint endpoint) {
        endpoints.add(endpoint);
    }

    void closed(LoopbackEndpoint endpoint) {
        endpoints.remove(endpoint);
    }

    boolean isOnNetwork() {
        return !verbs.isGone() && linkState != LinkState.DOWN;
    }

    private void checkOwn(InetAddress address) throws RdmaException {
        if (!addresses.contains(address)) {
            throw new RdmaException(
                    RdmaError.ADDRESS_NOT_AVAILABLE,
                    "the device has no address " + address.getHostAddress() + ", use one of "
                            + addresses.stream()
                                    .map(InetAddress::getHostAddress)
                                    .toList());
        }
    }
}
