package org.verbena.rdma;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A device as a consumer sees it; an OSGi service that is there for as long as the device can be used.
 *
 * <p>The service has prototype scope. What is made through one service object ends with it: a component that refers to
 * the device with {@code scope=PROTOTYPE_REQUIRED} has a session of its own, others share one per bundle. The properties
 * below are set on the service, so that {@code @Reference(target="(rdma.transport=iwarp)")} is the way to depend on a
 * kind of device.
 *
 * <p>All methods may be called on any thread.
 */
@ProviderType
public interface RdmaDevice {
    /** Service property, {@code String}: the name of the device. */
    String NAME = "rdma.name";
    /** Service property, {@code String}: the name of the provider. */
    String PROVIDER = "rdma.provider";
    /** Service property, {@code String}: {@link Transport#propertyValue()}. */
    String TRANSPORT = "rdma.transport";
    /** Service property, {@code String}: the GUID as 16 hexadecimal digits; absent where the device has none. */
    String GUID = "rdma.guid";
    /** Service property, {@code String[]}: the textual addresses, IPv6 with scope; follows the device. */
    String ADDRESSES = "rdma.addresses";
    /** Service property, {@code String}: the {@link LinkState} in lower case; follows the device. */
    String LINK = "rdma.link";
    /** Service property, {@code String[]}: those of its addresses that another device serves. */
    String SHADOWED = "rdma.shadowed";

    /**
     * Returns the name of the device.
     *
     * @return the name, unique among the devices that are present
     */
    String name();

    /**
     * Returns what the device is and how much it takes. Stays readable after the removal.
     *
     * @return the attributes
     */
    DeviceAttributes attributes();

    /**
     * Returns the addresses that the device has now; they may change while it lives.
     *
     * @return the addresses, link-local ones with their scope
     */
    List<InetAddress> addresses();

    /**
     * Returns the state of the link now.
     *
     * @return the state
     */
    LinkState linkState();

    /**
     * Makes a protection domain.
     *
     * @return a new domain
     * @throws DeviceRemovedException if the device is going or gone
     * @throws RdmaException if a limit is reached
     */
    ProtectionDomain createProtectionDomain() throws RdmaException;

    /**
     * Makes a channel that tells of completions. It needs nothing of the device and wakes on removal.
     *
     * @return a new channel
     * @throws DeviceRemovedException if the device is going or gone
     */
    CompletionChannel createCompletionChannel() throws RdmaException;

    /**
     * Makes a completion queue.
     *
     * @param entries how many completions it must hold, 1 to {@link DeviceAttributes#maxCompletionQueueEntries()}
     * @param channel the channel of this device that its notifications go to, or {@code null} for a queue that is only
     *     polled
     * @return a new queue
     * @throws DeviceRemovedException if the device is going or gone
     * @throws IllegalArgumentException if the channel belongs to another device
     * @throws RdmaException if {@code entries} is out of range or a limit is reached
     */
    CompletionQueue createCompletionQueue(int entries, CompletionChannel channel) throws RdmaException;

    /**
     * Looks for a path between two addresses. The query completes exactly once: with the path, with an
     * {@link RdmaException} ({@link RdmaError#TIMED_OUT}, {@link RdmaError#CANCELLED} also when the device goes, or what
     * the provider reports), and always before the device is gone.
     *
     * @param source an address of this device
     * @param destination the address of the peer
     * @param timeout how long to wait, greater than zero
     * @return the running query
     * @throws DeviceRemovedException if the device is going or gone
     * @throws RdmaException if the source is not an address of this device, a link-local address has no scope, or the
     *     timeout is not positive
     */
    PathQuery queryPath(InetAddress source, InetAddress destination, Duration timeout) throws RdmaException;
}
