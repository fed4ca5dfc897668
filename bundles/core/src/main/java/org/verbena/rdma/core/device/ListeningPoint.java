package org.verbena.rdma.core.device;

import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.core.guard.Presence;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.ProviderListener;

/**
 * Listening at one address of one device. It may be asked to close while it is still being opened: then whoever opens it
 * closes it, so that the provider never sees the two at a time.
 *
 * <p>{@code phase}, {@code closeAsked} and {@code listener} are guarded by this object's monitor, which is never held
 * while the provider is called.
 */
public final class ListeningPoint implements ListenerUpcalls {
    private enum Phase {
        NEW,
        OPENING,
        OPEN,
        CLOSED
    }

    private final Device device;
    private final InetSocketAddress address;
    private final ListeningOwner owner;
    private Phase phase = Phase.NEW;
    private boolean closeAsked;
    private ProviderListener listener;
    /** Open until the provider has let go of the address. */
    private final CountDownLatch held = new CountDownLatch(1);

    /**
     * Makes a point that does not listen yet.
     *
     * @param device the device
     * @param address one of its addresses, and a port
     * @param owner who is told of requests and changes
     */
    public ListeningPoint(Device device, InetSocketAddress address, ListeningOwner owner) {
        this.device = device;
        this.address = address;
        this.owner = owner;
    }

    /**
     * Returns the device.
     *
     * @return the device
     */
    public Device device() {
        return device;
    }

    /**
     * Returns where it listens.
     *
     * @return address and port
     */
    public InetSocketAddress address() {
        return address;
    }

    /**
     * Listens.
     *
     * @param portSpace where the port lives
     * @param backlog how many requests may wait
     * @param options the options of the id
     * @throws RdmaException if the provider refuses or the device is going; the point is closed then
     */
    public void open(PortSpace portSpace, int backlog, EndpointOptions options) throws RdmaException {
        if (!beginOpening()) {
            throw device.removed();
        }
        boolean listens = false;
        try {
            device.addPoint(this);
            device.call(() -> {
                // Kept before the thread leaves the provider, so that a removal finds it.
                settle(Objects.requireNonNull(
                        device.provider().listen(portSpace, address, backlog, options, this), "listener"));
                return null;
            });
            listens = true;
        } finally {
            if (!listens) {
                settle(null);
                device.removePoint(this);
            }
        }
        if (isCloseAsked()) {
            close();
            throw device.removed();
        }
    }

    /** Begins the opening, unless it has been asked to close before. */
    private synchronized boolean beginOpening() {
        if (closeAsked) {
            return false;
        }
        phase = Phase.OPENING;
        return true;
    }

    /** Ends the opening. */
    private synchronized void settle(ProviderListener opened) {
        listener = opened;
        phase = opened == null ? Phase.CLOSED : Phase.OPEN;
        if (opened == null) {
            held.countDown();
        }
    }

    private synchronized boolean isCloseAsked() {
        return closeAsked;
    }

    /**
     * Tells whether it listens.
     *
     * @return {@code true} between the opening and the close
     */
    public synchronized boolean isOpen() {
        return phase == Phase.OPEN;
    }

    /**
     * Tells whether the provider is being asked to listen.
     *
     * @return {@code true} until it has answered; who has asked for a close meanwhile is waited for by {@link #held}
     */
    public synchronized boolean isOpening() {
        return phase == Phase.OPENING;
    }

    /** Stops listening, now or when the opening is over. May be called again. */
    public void close() {
        Presence here = device.enter();
        if (here != null) {
            boolean closed;
            try {
                closed = closeAtProvider();
            } finally {
                here.exit();
            }
            if (closed) {
                device.removePoint(this);
            }
        }
        // Otherwise the device is past its revocation, and its removal closes what is left.
    }

    /**
     * Closes at the provider, unless that is done or somebody is still opening. Called inside of the device's gate, or
     * behind it.
     */
    boolean closeAtProvider() {
        ProviderListener closing = takeListener();
        if (closing != null) {
            try {
                device.closing("listener " + address, closing::close);
            } finally {
                held.countDown();
            }
        }
        return closing != null;
    }

    /**
     * Returns what is counted down when the provider has let go of the address, whoever has closed the point.
     *
     * @return a latch of one
     */
    public CountDownLatch held() {
        return held;
    }

    private synchronized ProviderListener takeListener() {
        closeAsked = true;
        if (phase == Phase.NEW) {
            settle(null);
        }
        if (phase != Phase.OPEN) {
            return null;
        }
        phase = Phase.CLOSED;
        return listener;
    }

    @Override
    public EndpointUpcalls request(Endpoint endpoint, ConnectionParameters parameters) {
        Presence here = device.enterUpcall();
        if (here == null) {
            return null;
        }
        try {
            return hears() ? owner.take(device, endpoint, parameters) : null;
        } finally {
            here.exit();
        }
    }

    @Override
    public void addressChanged() {
        Presence here = device.enterUpcall();
        if (here != null) {
            try {
                if (hears()) {
                    owner.addressChanged();
                }
            } finally {
                here.exit();
            }
        }
    }

    /** Upcalls may come while it is being opened, and are late once it is closed or its opening has failed. */
    private synchronized boolean hears() {
        return phase != Phase.CLOSED && !closeAsked;
    }
}
