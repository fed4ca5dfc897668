package org.verbena.rdma.provider.disni.connection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.disni.ConnectionNatives;
import org.verbena.rdma.provider.disni.natives.Natives;
import org.verbena.rdma.provider.disni.natives.Outcome;
import org.verbena.rdma.provider.disni.upcalls.EventSource;
import org.verbena.rdma.provider.disni.upcalls.EventThread;
import org.verbena.rdma.provider.disni.verbs.NativeBuffer;
import org.verbena.rdma.provider.disni.verbs.VerbsResources;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.PathUpcalls;

/**
 * Connection management of an open device: an event channel of its own, the thread that reads it, and the ids by token.
 * Tokens are never used twice, so that an event finds its id or nothing.
 *
 * <p>The map of targets is safe by itself. Events are read on the event thread alone, which is all that touches the
 * record.
 */
public final class ConnectionResources implements EventSource {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionResources.class);
    private static final int ASYNC_COMMUNICATION_ESTABLISHED = 4;
    private static final int ASYNC_DEVICE_FATAL = 8;
    private static final int ASYNC_PORT_ACTIVE = 9;
    private static final int ASYNC_PORT_ERROR = 10;
    private static final int ASYNC_GID_CHANGE = 18;

    private final String device;
    private final boolean iwarp;
    private final Natives natives;
    private final VerbsResources verbs;
    private final DeviceEvents events;
    private final ConnectThreads connectThreads;
    private final long channel;
    private final NativeBuffer record;
    private final Map<Long, EventTarget> targets = new ConcurrentHashMap<>();
    private final AtomicLong tokens = new AtomicLong();
    private final EventThread thread;

    private ConnectionResources(
            String device,
            boolean iwarp,
            Natives natives,
            VerbsResources verbs,
            DeviceEvents events,
            ConnectThreads connectThreads,
            long channel)
            throws RdmaException {
        this.device = device;
        this.iwarp = iwarp;
        this.natives = natives;
        this.verbs = verbs;
        this.events = events;
        this.connectThreads = connectThreads;
        this.channel = channel;
        record = new NativeBuffer(natives.verbs(), ConnectionNatives.EVENT_BYTES);
        thread = EventThread.start("verbena-" + device + "-events", natives.verbs(), this);
    }

    /**
     * Opens the connection management of a device.
     *
     * @param device the name of the device
     * @param iwarp whether it speaks iWARP, whose queue pairs the kernel moves
     * @param natives the natives
     * @param verbs what verbs objects are made with
     * @param events where to tell what happens to the device
     * @return connection management that is open
     * @throws RdmaException if librdmacm refuses
     */
    public static ConnectionResources open(
            String device, boolean iwarp, Natives natives, VerbsResources verbs, DeviceEvents events)
            throws RdmaException {
        long channel = Outcome.check(natives.connections().createChannel(), "making an event channel");
        try {
            return new ConnectionResources(
                    device, iwarp, natives, verbs, events, new ConnectThreads(device, natives.connections()), channel);
        } catch (RdmaException failed) {
            natives.connections().destroyChannel(channel);
            throw failed;
        }
    }

    /** Ends connection management; all ids were closed before. */
    public void close() {
        connectThreads.close();
        thread.stop();
        natives.connections().destroyChannel(channel);
    }

    /**
     * Returns what makes upcalls, one after another.
     *
     * @return the event thread
     */
    public Executor upcalls() {
        return thread;
    }

    /**
     * Listens.
     *
     * @param portSpace where the port lives
     * @param local where to listen
     * @param backlog how many requests to keep
     * @param options the options of the id
     * @param upcalls where to tell of requests
     * @return a new listener
     * @throws RdmaException if librdmacm refuses
     */
    public DisniListener listen(
            PortSpace portSpace, InetSocketAddress local, int backlog, EndpointOptions options, ListenerUpcalls upcalls)
            throws RdmaException {
        return DisniListener.listen(this, portSpace, local, backlog, options, upcalls);
    }

    /**
     * Makes an endpoint and begins to resolve its destination.
     *
     * @param portSpace where the ports live
     * @param source the local address
     * @param destination the address of the peer
     * @param timeout when to give up
     * @param options the options of the id
     * @param upcalls where to tell what happens
     * @return a new endpoint
     * @throws RdmaException if nothing was begun
     */
    public DisniEndpoint resolve(
            PortSpace portSpace,
            InetSocketAddress source,
            InetSocketAddress destination,
            Duration timeout,
            EndpointOptions options,
            EndpointUpcalls upcalls)
            throws RdmaException {
        return DisniEndpoint.resolve(this, portSpace, source, destination, timeout, options, upcalls);
    }

    /**
     * Begins to look for a path.
     *
     * @param source the local address
     * @param destination the address of the peer
     * @param timeout when to give up
     * @param mtu what to tell where librdmacm does not know
     * @param upcalls where to tell the outcome
     * @return the query
     * @throws RdmaException if nothing was begun
     */
    public DisniPathQuery queryPath(
            InetAddress source, InetAddress destination, Duration timeout, int mtu, PathUpcalls upcalls)
            throws RdmaException {
        return DisniPathQuery.begin(this, source, destination, timeout, mtu, upcalls);
    }

    // For ids

    ConnectionNatives natives() {
        return natives.connections();
    }

    VerbsResources verbs() {
        return verbs;
    }

    boolean isIwarp() {
        return iwarp;
    }

    ConnectThreads connectThreads() {
        return connectThreads;
    }

    /** Makes an id whose events go to a target. */
    OwnId createId(PortSpace portSpace, EventTarget target) throws RdmaException {
        if (portSpace != PortSpace.TCP && portSpace != PortSpace.IB) {
            throw new RdmaException(
                    RdmaError.NOT_SUPPORTED, "port space " + portSpace + " has no reliable connections: use TCP");
        }
        long token = tokens.incrementAndGet();
        targets.put(token, target);
        long handle = natives.connections().createId(channel, portSpace.number(), token);
        if (handle < 0) {
            targets.remove(token);
            throw Outcome.failure(handle, "making an id on device " + device);
        }
        return new OwnId(handle, token);
    }

    /** Takes over the id of a request. */
    OwnId adopt(long handle, EventTarget target) {
        long token = tokens.incrementAndGet();
        targets.put(token, target);
        natives.connections().setToken(handle, token);
        return new OwnId(handle, token);
    }

    /** Frees an id; nothing is inside of librdmacm with it. */
    void destroy(OwnId id) {
        targets.remove(id.token());
        int result = natives.connections().destroyId(id.handle());
        if (result != 0) {
            LOG.debug("device {}: an id was destroyed with error {}", device, -result);
        }
    }

    /** Whether librdmacm has bound an id to this device, and not to another one with the same address. */
    boolean isBoundHere(OwnId id) {
        return device.equals(natives.connections().device(id.handle()));
    }

    InetSocketAddress localAddress(OwnId id) {
        byte[] address = new byte[ConnectionNatives.ADDRESS_BYTES];
        natives.connections().localAddress(id.handle(), address);
        return SocketAddresses.read(address);
    }

    InetSocketAddress peerAddress(OwnId id) {
        byte[] address = new byte[ConnectionNatives.ADDRESS_BYTES];
        natives.connections().peerAddress(id.handle(), address);
        return SocketAddresses.read(address);
    }

    void setOptions(OwnId id, EndpointOptions options) throws RdmaException {
        if (options.typeOfService() != 0) {
            set(id, ConnectionNatives.OPTION_TYPE_OF_SERVICE, options.typeOfService(), "the type of service");
        }
        if (options.ackTimeout() >= 0) {
            set(id, ConnectionNatives.OPTION_ACK_TIMEOUT, options.ackTimeout(), "the acknowledgement timeout");
        }
        if (options.reuseAddress()) {
            set(id, ConnectionNatives.OPTION_REUSE_ADDRESS, 1, "that the address may be reused");
        }
    }

    private void set(OwnId id, int option, int value, String what) throws RdmaException {
        Outcome.check(natives.connections().setOption(id.handle(), option, value), "setting " + what);
    }

    // Events

    @Override
    public int first() {
        return natives.connections().channelDescriptor(channel);
    }

    @Override
    public int second() {
        return natives.verbs().asyncDescriptor(verbs.context());
    }

    @Override
    public void firstReady() {
        while (natives.connections().readEvent(channel, record.address()) == 0) {
            ConnectionEvent event =
                    ConnectionEvent.read(record.bytes().duplicate().order(ByteOrder.nativeOrder()));
            EventTarget target = targets.get(record.bytes().getLong(ConnectionNatives.EVENT_TOKEN));
            LOG.debug("device {}: {} status {}", device, event.type(), event.status());
            if (event.type() == EventType.DEVICE_REMOVAL) {
                events.deviceGoing();
            } else if (target != null) {
                target.event(event);
            } else if (event.newId() != 0) {
                // The listener is closed: destroying an id that was not accepted refuses the peer.
                natives.connections().destroyId(event.newId());
            }
        }
    }

    @Override
    public void secondReady() {
        int[] event = new int[2];
        while (natives.verbs().readAsyncEvent(verbs.context(), event) == 0) {
            LOG.debug("device {}: asynchronous event {} on {}", device, event[0], event[1]);
            switch (event[0]) {
                case ASYNC_DEVICE_FATAL -> events.deviceGoing();
                case ASYNC_PORT_ACTIVE, ASYNC_PORT_ERROR -> events.portChanged();
                case ASYNC_GID_CHANGE -> events.addressesChanged();
                case ASYNC_COMMUNICATION_ESTABLISHED -> communicationEstablished(event[1]);
                default -> LOG.debug("nothing is done about that");
            }
        }
    }

    private void communicationEstablished(int queuePairNumber) {
        for (EventTarget target : targets.values()) {
            if (target instanceof DisniEndpoint endpoint && endpoint.communicationEstablishedOn(queuePairNumber)) {
                return;
            }
        }
    }
}
