package org.verbena.rdma.provider.disni.connection;

import java.net.InetSocketAddress;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.disni.natives.Outcome;
import org.verbena.rdma.provider.disni.upcalls.UpcallGate;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.ProviderListener;

/**
 * A listener. Requests, and changes of the network behind its address, come on the event thread alone; the gate lets none
 * through after close.
 */
public final class DisniListener implements ProviderListener, EventTarget {
    private final ConnectionResources resources;
    private final ListenerUpcalls upcalls;
    private final UpcallGate gate = new UpcallGate();
    private final OwnId id;
    private final InetSocketAddress local;

    private DisniListener(
            ConnectionResources resources, PortSpace portSpace, InetSocketAddress local, ListenerUpcalls upcalls)
            throws RdmaException {
        this.resources = resources;
        this.local = local;
        this.upcalls = upcalls;
        // No event comes before the id listens.
        id = resources.createId(portSpace, this);
    }

    static DisniListener listen(
            ConnectionResources resources,
            PortSpace portSpace,
            InetSocketAddress local,
            int backlog,
            EndpointOptions options,
            ListenerUpcalls upcalls)
            throws RdmaException {
        DisniListener listener = new DisniListener(resources, portSpace, local, upcalls);
        boolean listening = false;
        try {
            listener.begin(backlog, options);
            listening = true;
            return listener;
        } finally {
            if (!listening) {
                listener.close();
            }
        }
    }

    private void begin(int backlog, EndpointOptions options) throws RdmaException {
        resources.setOptions(id, options);
        Outcome.check(resources.natives().bind(id.handle(), SocketAddresses.write(local)), "binding to " + local);
        if (!resources.isBoundHere(id)) {
            throw new RdmaException(
                    RdmaError.ADDRESS_NOT_AVAILABLE,
                    "the kernel gives " + local + " to device "
                            + resources.natives().device(id.handle()) + ": one interface serves one RDMA device");
        }
        Outcome.check(resources.natives().listen(id.handle(), backlog), "listening at " + local);
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public void event(ConnectionEvent event) {
        switch (event.type()) {
            case CONNECT_REQUEST -> request(event);
            case ADDRESS_CHANGE -> addressChanged();
            default -> {
                // Nothing else concerns a listener.
            }
        }
    }

    private void request(ConnectionEvent event) {
        DisniEndpoint endpoint = DisniEndpoint.requested(resources, event.newId());
        EndpointUpcalls taker = null;
        if (gate.enter()) {
            try {
                taker = upcalls.request(endpoint, event.parameters());
            } finally {
                gate.leave();
            }
        }
        if (taker == null) {
            endpoint.close();
        } else {
            endpoint.taken(taker);
        }
    }

    private void addressChanged() {
        if (gate.enter()) {
            try {
                upcalls.addressChanged();
            } finally {
                gate.leave();
            }
        }
    }

    @Override
    public void close() {
        gate.close();
        resources.destroy(id);
    }
}
