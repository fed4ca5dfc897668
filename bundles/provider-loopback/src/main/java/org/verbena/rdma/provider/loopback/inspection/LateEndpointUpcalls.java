package org.verbena.rdma.provider.loopback.inspection;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.spi.EndpointUpcalls;

/**
 * Stands for core while a request is kept back, and keeps what happens until then. {@code lock} guards everything and
 * is not held while core is called.
 */
final class LateEndpointUpcalls implements EndpointUpcalls {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Consumer<EndpointUpcalls>> kept = new ArrayList<>();
    private EndpointUpcalls target;

    /** Makes what was kept, and from now on each upcall when it is due. */
    void target(EndpointUpcalls newTarget) {
        List<Consumer<EndpointUpcalls>> due;
        lock.lock();
        try {
            target = newTarget;
            due = List.copyOf(kept);
            kept.clear();
        } finally {
            lock.unlock();
        }
        due.forEach(upcall -> upcall.accept(newTarget));
    }

    private void raise(Consumer<EndpointUpcalls> upcall) {
        EndpointUpcalls present;
        lock.lock();
        try {
            present = target;
            if (present == null) {
                kept.add(upcall);
            }
        } finally {
            lock.unlock();
        }
        if (present != null) {
            upcall.accept(present);
        }
    }

    @Override
    public void addressResolved(InetSocketAddress local) {
        raise(upcalls -> upcalls.addressResolved(local));
    }

    @Override
    public void addressError(RdmaError error) {
        raise(upcalls -> upcalls.addressError(error));
    }

    @Override
    public void routeResolved() {
        raise(EndpointUpcalls::routeResolved);
    }

    @Override
    public void routeError(RdmaError error) {
        raise(upcalls -> upcalls.routeError(error));
    }

    @Override
    public void connectResponse(ConnectionParameters parameters) {
        raise(upcalls -> upcalls.connectResponse(parameters));
    }

    @Override
    public void established(ConnectionParameters parameters) {
        raise(upcalls -> upcalls.established(parameters));
    }

    @Override
    public void connectError(RdmaError error) {
        raise(upcalls -> upcalls.connectError(error));
    }

    @Override
    public void unreachable(RdmaError error) {
        raise(upcalls -> upcalls.unreachable(error));
    }

    @Override
    public void rejected(RejectReason reason, ByteBuffer privateData) {
        raise(upcalls -> upcalls.rejected(reason, privateData));
    }

    @Override
    public void disconnected(RdmaError status) {
        raise(upcalls -> upcalls.disconnected(status));
    }

    @Override
    public void addressChanged() {
        raise(EndpointUpcalls::addressChanged);
    }

    @Override
    public void timewaitExit() {
        raise(EndpointUpcalls::timewaitExit);
    }
}
