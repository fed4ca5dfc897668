package org.verbena.rdma.examples.mirror;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.ProviderListener;

/** Hands the requests of those who connect to core. Its list is guarded by the lock of the device. */
final class MirrorListener implements ProviderListener {
    private final MirrorDevice device;
    private final InetSocketAddress local;
    private final ListenerUpcalls upcalls;
    private final List<MirrorConnection> requests = new ArrayList<>();

    MirrorListener(MirrorDevice device, InetSocketAddress local, ListenerUpcalls upcalls) {
        this.device = device;
        this.local = local;
        this.upcalls = upcalls;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    /** Call with the lock. */
    void request(MirrorConnection connection, MirrorEndpoint passive, ConnectionParameters parameters) {
        requests.add(connection);
        // The endpoint's own upcalls are made on the same thread, so they wait for the end of this one.
        device.upcalls().raise(this, () -> {
            EndpointUpcalls taken = upcalls.request(passive, parameters);
            passive.tellTo(taken);
            synchronized (device.lock) {
                requests.remove(connection);
                if (taken == null) {
                    connection.refuse(RejectReason.NO_RESOURCES);
                }
            }
        });
    }

    /** Those who were not handed to core yet are refused. */
    @Override
    public void close() {
        synchronized (device.lock) {
            device.forget(this);
        }
        device.upcalls().cancel(this);
        synchronized (device.lock) {
            requests.forEach(request -> request.refuse(RejectReason.NO_LISTENER));
            requests.clear();
        }
    }
}
