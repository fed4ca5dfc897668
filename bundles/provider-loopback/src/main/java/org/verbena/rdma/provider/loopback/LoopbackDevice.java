package org.verbena.rdma.provider.loopback;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.loopback.connection.ConnectionDevice;
import org.verbena.rdma.provider.loopback.connection.ListenerTable;
import org.verbena.rdma.provider.loopback.connection.LoopbackEndpoint;
import org.verbena.rdma.provider.loopback.connection.LoopbackListener;
import org.verbena.rdma.provider.loopback.connection.LoopbackPathQuery;
import org.verbena.rdma.provider.loopback.connection.Neighbours;
import org.verbena.rdma.provider.loopback.schedule.Timer;
import org.verbena.rdma.provider.loopback.schedule.UpcallQueue;
import org.verbena.rdma.provider.loopback.verbs.LoopbackCompletionQueue;
import org.verbena.rdma.provider.loopback.verbs.LoopbackProtectionDomain;
import org.verbena.rdma.provider.loopback.verbs.VerbsDevice;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.CounterSink;
import org.verbena.rdma.spi.DeviceUpcalls;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.PathUpcalls;
import org.verbena.rdma.spi.ProviderDevice;

/**
 * A device of a loopback network.
 *
 * <p>{@code lock} guards whether the device is open and what happens when it is freed; nothing is called with it.
 */
public final class LoopbackDevice implements ProviderDevice {
    private final DeviceConfiguration configuration;
    private final Executor upcallExecutor;
    private final VerbsDevice verbs;
    private final ConnectionDevice connections;
    private final ReentrantLock lock = new ReentrantLock();
    private DeviceUpcalls upcalls;
    private UpcallQueue queue;
    private Runnable whenClosed;

    LoopbackDevice(
            DeviceConfiguration configuration,
            Neighbours neighbours,
            ListenerTable listeners,
            Executor upcallExecutor,
            Executor transfers,
            Timer timer) {
        this.configuration = configuration;
        this.upcallExecutor = upcallExecutor;
        this.verbs = new VerbsDevice(
                configuration.name(),
                configuration.attributes(),
                configuration.timeouts().receiverNotReady(),
                upcallExecutor,
                transfers,
                timer);
        this.connections = new ConnectionDevice(
                verbs,
                configuration.attributes(),
                configuration.timeouts(),
                neighbours,
                listeners,
                upcallExecutor,
                timer,
                configuration.addresses(),
                configuration.linkState());
    }

    @Override
    public String name() {
        return configuration.name();
    }

    @Override
    public LoopbackAttributes attributes() {
        return configuration.attributes();
    }

    @Override
    public List<InetAddress> addresses() {
        return connections.addresses();
    }

    @Override
    public LinkState linkState() {
        return connections.linkState();
    }

    @Override
    public boolean reaches(InetAddress destination) {
        return connections.reaches(destination);
    }

    @Override
    public void open(DeviceUpcalls target) throws RdmaException {
        verbs.checkPresent();
        lock.lock();
        try {
            if (upcalls != null) {
                throw new RdmaException(RdmaError.BUSY, "device " + name() + " is open already");
            }
            verbs.resetCounters();
            upcalls = target;
            queue = new UpcallQueue(upcallExecutor);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        UpcallQueue ended;
        Runnable last;
        lock.lock();
        try {
            ended = queue;
            last = whenClosed;
            upcalls = null;
            queue = null;
            whenClosed = null;
        } finally {
            lock.unlock();
        }
        if (ended != null) {
            ended.close();
        }
        if (last != null) {
            last.run();
        }
    }

    @Override
    public LoopbackProtectionDomain createProtectionDomain() throws RdmaException {
        return verbs.createProtectionDomain();
    }

    @Override
    public LoopbackCompletionQueue createCompletionQueue(int entries, CompletionUpcalls target) throws RdmaException {
        return verbs.createCompletionQueue(entries, target);
    }

    @Override
    public LoopbackListener listen(
            PortSpace portSpace, InetSocketAddress local, int backlog, EndpointOptions options, ListenerUpcalls target)
            throws RdmaException {
        return connections.listen(portSpace, local, backlog, target);
    }

    @Override
    public LoopbackEndpoint resolve(
            PortSpace portSpace,
            InetSocketAddress source,
            InetSocketAddress destination,
            Duration timeout,
            EndpointOptions options,
            EndpointUpcalls target)
            throws RdmaException {
        return connections.resolve(portSpace, source, destination, target);
    }

    @Override
    public LoopbackPathQuery queryPath(
            InetAddress source, InetAddress destination, Duration timeout, PathUpcalls target) throws RdmaException {
        return connections.queryPath(source, destination, timeout, target);
    }

    @Override
    public void readCounters(CounterSink sink) {
        verbs.readCounters(sink);
    }

    /** Returns what is behind addresses, link and connections. */
    ConnectionDevice connections() {
        return connections;
    }

    /**
     * Changes the addresses and tells of it.
     *
     * @param changed the new addresses
     */
    public void changeAddresses(List<InetAddress> changed) {
        connections.addresses(changed);
        tell(DeviceUpcalls::addressesChanged);
    }

    /**
     * Changes the state of the link and tells of it.
     *
     * @param changed the new state
     */
    public void changeLink(LinkState changed) {
        connections.linkState(changed);
        tell(DeviceUpcalls::linkChanged);
    }

    /** Takes the device away below the provider and tells of it: its calls fail fast, its connections break. */
    public void vanish() {
        verbs.gone(true);
        connections.breakConnections(RdmaError.CONNECTION_ABORTED);
        tell(DeviceUpcalls::gone);
    }

    /** Undoes {@link #vanish()}. */
    public void appear() {
        verbs.gone(false);
    }

    /**
     * Runs something when the device is not open any more, now if it is not.
     *
     * @param action what to run, without a lock
     */
    void whenClosed(Runnable action) {
        lock.lock();
        try {
            if (upcalls != null) {
                whenClosed = action;
                return;
            }
        } finally {
            lock.unlock();
        }
        action.run();
    }

    private void tell(Consumer<DeviceUpcalls> upcall) {
        lock.lock();
        try {
            if (upcalls != null) {
                DeviceUpcalls target = upcalls;
                queue.add(() -> upcall.accept(target));
            }
        } finally {
            lock.unlock();
        }
    }
}
