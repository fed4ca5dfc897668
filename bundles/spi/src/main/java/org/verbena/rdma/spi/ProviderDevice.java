package org.verbena.rdma.spi;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.PortSpace;

/**
 * A device, registered as an OSGi service by its provider. Its unregistration is the removal of the device and returns
 * when core has closed everything that it made on it.
 *
 * <p>A provider may unregister a device on any thread, also inside a consumer's callback, but never inside one of these
 * calls or inside an upcall: there it says {@link DeviceUpcalls#gone()}, fails its calls fast from then on, and
 * unregisters on a thread of its own.
 */
@ConsumerType
public interface ProviderDevice {
    /**
     * Returns the name of the device; constant.
     *
     * @return a short name without spaces, unique on the machine
     */
    String name();

    /**
     * Returns what the device is and how much it takes; constant. Core reads all of it once before each {@link #open},
     * and calls neither this nor the attributes afterwards; a call that hangs counts like any other.
     *
     * @return the attributes
     */
    DeviceAttributes attributes();

    /**
     * Returns the addresses that the device has now. A change is told by {@link DeviceUpcalls#addressesChanged()}.
     *
     * @return the addresses, link-local ones with their scope
     */
    List<InetAddress> addresses();

    /**
     * Returns the state of the link now. A change is told by {@link DeviceUpcalls#linkChanged()}.
     *
     * @return the state
     */
    default LinkState linkState() {
        return LinkState.UNKNOWN;
    }

    /**
     * Begins a period of use. Called by core alone, never twice without a close between. From now on and until
     * {@link #close()} the provider frees nothing by itself, also when it unregisters the device.
     *
     * @param upcalls where to tell what happens to the device, until close
     * @throws RdmaException if the device cannot be used; core then tries again when asked to
     */
    void open(DeviceUpcalls upcalls) throws RdmaException;

    /**
     * Ends the period of use. Everything made since open was closed before. Afterwards the device is as it was before its
     * first open: it can be opened again, or freed by the provider.
     */
    void close();

    /**
     * Makes a protection domain.
     *
     * @return a new domain
     * @throws RdmaException if the device refuses
     */
    ProviderProtectionDomain createProtectionDomain() throws RdmaException;

    /**
     * Makes a completion queue.
     *
     * @param entries how many completions it must hold
     * @param upcalls where to tell of completions that were asked for
     * @return a new queue
     * @throws RdmaException if the device refuses
     */
    ProviderCompletionQueue createCompletionQueue(int entries, CompletionUpcalls upcalls) throws RdmaException;

    /**
     * Listens at one address of the device.
     *
     * @param portSpace where the port lives
     * @param local an address of the device and a port, neither of them a wildcard
     * @param backlog how many requests that were not answered the provider should keep at least
     * @param options the options of the listening id
     * @param upcalls where to tell of requests; may be called before this returns
     * @return a new listener
     * @throws RdmaException with ADDRESS_IN_USE if the port is taken outside of core's view, for example by the operating
     *     system
     */
    ProviderListener listen(
            PortSpace portSpace, InetSocketAddress local, int backlog, EndpointOptions options, ListenerUpcalls upcalls)
            throws RdmaException;

    /**
     * Makes an endpoint and begins to resolve its destination. The outcome is {@link EndpointUpcalls#addressResolved} or
     * {@link EndpointUpcalls#addressError}; both may come before this returns.
     *
     * @param portSpace where the ports live
     * @param source an address of the device; the port is 0 where the device assigns source ports and the id is not bound
     * @param destination address and port of the peer
     * @param timeout when to give up
     * @param options the options of the id
     * @param upcalls where to tell what happens to the endpoint
     * @return a new endpoint
     * @throws RdmaException if nothing was begun
     */
    Endpoint resolve(
            PortSpace portSpace,
            InetSocketAddress source,
            InetSocketAddress destination,
            Duration timeout,
            EndpointOptions options,
            EndpointUpcalls upcalls)
            throws RdmaException;

    /**
     * Begins to look for a path.
     *
     * @param source an address of the device
     * @param destination the address of the peer
     * @param timeout when to give up
     * @param upcalls where to tell the outcome; may be called before this returns
     * @return the query under way
     * @throws RdmaException if nothing was begun
     */
    ProviderPathQuery queryPath(InetAddress source, InetAddress destination, Duration timeout, PathUpcalls upcalls)
            throws RdmaException;

    /**
     * Tells what was counted on the device since it was opened, connections that are over included. Called while the
     * device is open, on any thread and beside any other call; holds up no traffic.
     *
     * @param sink where to tell it
     */
    default void readCounters(CounterSink sink) {}

    /**
     * Tells whether a destination can be reached from this device although routing of the operating system knows nothing
     * of it.
     *
     * @param destination an address
     * @return {@code true} for a network of the provider's own
     */
    default boolean reaches(InetAddress destination) {
        return false;
    }
}
