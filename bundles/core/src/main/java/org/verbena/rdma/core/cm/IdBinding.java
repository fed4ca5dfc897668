package org.verbena.rdma.core.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.core.address.PortBinding;
import org.verbena.rdma.core.device.AddressBook;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.guard.Presence;
import org.verbena.rdma.spi.Endpoint;

/**
 * Where an id is: the device it is attached to, the port it holds, and its addresses.
 *
 * <p>The fields are written inside of a call of the id or its clean-up, of which there is one at a time; they are volatile
 * because others read them. No lock is held here.
 */
final class IdBinding {
    private final ConnectionId id;
    private final IdState state;
    private final Surroundings surroundings;
    private final PortSpace portSpace;
    private final Device pinned;
    private volatile Attachment attachment;
    private volatile PortBinding port;
    private volatile boolean boundByResolve;
    private volatile InetSocketAddress local;
    private volatile InetSocketAddress peer;

    /**
     * Makes the binding of an id that is bound to nothing.
     *
     * @param id the id
     * @param state its state
     * @param surroundings what is around it
     * @param portSpace where its ports live
     * @param pinned the only device it may use, or null
     */
    IdBinding(ConnectionId id, IdState state, Surroundings surroundings, PortSpace portSpace, Device pinned) {
        this.id = id;
        this.state = state;
        this.surroundings = surroundings;
        this.portSpace = portSpace;
        this.pinned = pinned;
    }

    Attachment attachment() {
        return attachment;
    }

    Device device() {
        Attachment bound = attachment;
        return bound == null ? null : bound.device();
    }

    /** Returns the device that a listener is restricted to, or null. */
    Device only() {
        Attachment bound = attachment;
        return bound == null ? pinned : bound.device();
    }

    PortBinding port() {
        return port;
    }

    InetSocketAddress local() {
        return local;
    }

    InetSocketAddress peer() {
        return peer;
    }

    void learnLocal(InetSocketAddress address) {
        if (address != null) {
            local = address;
        }
    }

    /** Binds an id that a request has made. */
    void adopt(Device device, Endpoint endpoint) throws RdmaException {
        attachment = new Attachment(id, device, endpoint);
        local = endpoint.localAddress();
        peer = endpoint.peerAddress();
        device.attach(id);
    }

    /** Binds to an address of a device, or to a wildcard. */
    void bind(InetSocketAddress address) throws RdmaException {
        boolean wildcard = address.getAddress().isAnyLocalAddress();
        AddressBook book = surroundings.devices().book();
        Device device = wildcard ? pinned : AddressChoice.serving(book, address.getAddress(), pinned);
        if (device != null) {
            attach(device);
        }
        boolean bound = false;
        try {
            port = take(address.getAddress(), address.getPort());
            bound = true;
        } finally {
            if (!bound && device != null) {
                detach(device);
            }
        }
        if (device != null) {
            attachment = new Attachment(id, device, null);
        }
        local = port.socketAddress();
    }

    /** Gives everything back. */
    void unbind() {
        releasePort();
        local = null;
        Attachment bound = attachment;
        if (bound != null) {
            attachment = null;
            detach(bound.device());
        }
    }

    /** Gives the port back; the device stays. */
    void releasePort() {
        surroundings.ports().release(port);
        port = null;
    }

    /** Takes another port that is free in place of one that core has chosen. */
    void takeAnotherPort() throws RdmaException {
        PortBinding former = port;
        port = take(former.address(), 0);
        surroundings.ports().release(former);
        local = port.socketAddress();
    }

    /** Tells the port table of changed options. */
    void share() {
        PortBinding bound = port;
        if (bound != null) {
            surroundings.ports().share(bound, id.options().sharing());
        }
    }

    private PortBinding take(InetAddress address, int wanted) throws RdmaException {
        return surroundings
                .ports()
                .bind(
                        portSpace,
                        address,
                        wanted,
                        id.options().sharing(),
                        id.consumer().name());
    }

    private void attach(Device device) throws RdmaException {
        state.bind(device);
        boolean attached = false;
        try {
            device.attach(id);
            attached = true;
        } finally {
            if (!attached) {
                state.unbind();
            }
        }
    }

    private void detach(Device device) {
        device.detach(id);
        state.unbind();
    }

    /** Finds the device that leads to a destination and lets it resolve the address. */
    void resolve(InetSocketAddress source, InetSocketAddress destination, Duration timeout) throws RdmaException {
        ParameterRules.requirePositive(timeout);
        AddressChoice.requireUsable(destination);
        if (destination.getPort() == 0) {
            throw new RdmaException(RdmaError.INVALID_ARGUMENT, "the destination needs a port");
        }
        if (source != null) {
            AddressChoice.requireUsable(source);
        }
        AddressChoice choice = AddressChoice.of(
                surroundings.devices().book(), surroundings.sources(), only(), wanted(source), destination);
        Attachment former = attachment;
        if (former == null) {
            attach(choice.device());
        }
        PortBinding own = null;
        boolean done = false;
        try {
            own = sourcePort(choice, source == null ? 0 : source.getPort());
            PortBinding used = own == null ? port : own;
            InetSocketAddress from = new InetSocketAddress(choice.source(), used == null ? 0 : used.port());
            begin(choice, from, timeout);
            if (own != null) {
                port = own;
                boundByResolve = true;
            }
            peer = choice.destination();
            if (!isBoundToAddress() || own != null || local == null) {
                local = from;
            }
            done = true;
        } finally {
            if (!done) {
                attachment = former;
                surroundings.ports().release(own);
                if (former == null) {
                    detach(choice.device());
                }
            }
        }
    }

    /** The address that the id is bound to, else the one that the consumer gives. */
    private InetAddress wanted(InetSocketAddress source) {
        if (isBoundToAddress()) {
            return port.address();
        }
        return source == null ? null : source.getAddress();
    }

    private boolean isBoundToAddress() {
        PortBinding bound = port;
        return bound != null && !bound.address().isAnyLocalAddress();
    }

    /** Takes a port for an id that has none, where the consumer has named one or the device does not give one itself. */
    private PortBinding sourcePort(AddressChoice choice, int wanted) throws RdmaException {
        if (port != null || wanted == 0 && choice.device().attributes().assignsSourcePorts()) {
            return null;
        }
        return take(choice.source(), wanted);
    }

    private void begin(AddressChoice choice, InetSocketAddress from, Duration timeout) throws RdmaException {
        Device device = choice.device();
        Attachment made = new Attachment(id, device, null);
        // From here on upcalls may come; they are recorded and wait until the call has settled.
        attachment = made;
        state.advance(Progress.RESOLVING);
        device.call(() -> {
            device.requireNotMarked();
            // Kept before the thread leaves the provider, so that a removal finds it.
            made.setEndpoint(device.provider()
                    .resolve(
                            portSpace,
                            from,
                            choice.destination(),
                            timeout,
                            id.options().forProvider(),
                            made));
            return null;
        });
    }

    /**
     * After ADDR_ERROR the id is bound as it was before, and can resolve another address. If the device is past its
     * revocation, the id stays with it instead: its removal closes the endpoint, and DEVICE_REMOVAL follows.
     */
    void dropResolution() {
        Attachment failed = attachment;
        Presence here = failed == null ? null : failed.device().enter();
        boolean closed = here != null;
        if (closed) {
            try {
                failed.closeEndpoint();
            } finally {
                here.exit();
            }
        }
        peer = null;
        if (boundByResolve) {
            releasePort();
            boundByResolve = false;
        }
        PortBinding bound = port;
        if (failed != null && !isBoundToAddress()) {
            local = bound == null ? null : bound.socketAddress();
            if (closed && (pinned == null || bound == null)) {
                attachment = null;
                detach(failed.device());
            }
        }
    }
}
