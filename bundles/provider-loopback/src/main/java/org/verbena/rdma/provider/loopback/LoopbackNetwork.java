package org.verbena.rdma.provider.loopback;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.provider.loopback.connection.ListenerTable;
import org.verbena.rdma.provider.loopback.connection.Neighbours;
import org.verbena.rdma.provider.loopback.fault.LoopbackFaults;
import org.verbena.rdma.provider.loopback.inspection.InspectedDevice;
import org.verbena.rdma.provider.loopback.inspection.Inspection;
import org.verbena.rdma.provider.loopback.inspection.Inspections;
import org.verbena.rdma.provider.loopback.schedule.NetworkThreads;
import org.verbena.rdma.provider.loopback.schedule.Timer;
import org.verbena.rdma.spi.ProviderDevice;

/** A network within one JVM: devices that reach each other. It has no lock; the list is safe by itself. */
public final class LoopbackNetwork implements Neighbours, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoopbackNetwork.class);

    private final DeviceRegistry registry;
    private final Executor upcalls;
    private final Executor transfers;
    private final Timer timer;
    private final Runnable whenEmpty;
    private final ListenerTable listeners = new ListenerTable();
    private final Inspections inspections = new Inspections();
    private final List<NetworkMember> members = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private LoopbackNetwork(DeviceRegistry registry, NetworkThreads threads) {
        this(registry, threads, Runnable::run, threads, threads::close);
    }

    private LoopbackNetwork(
            DeviceRegistry registry, Executor upcalls, Executor transfers, Timer timer, Runnable whenEmpty) {
        this.registry = registry;
        this.upcalls = upcalls;
        this.transfers = transfers;
        this.timer = timer;
        this.whenEmpty = whenEmpty;
    }

    /**
     * Makes a network with threads of its own, on which all upcalls are made. Data is moved by whoever posts.
     *
     * @param registry where devices are announced
     */
    public LoopbackNetwork(DeviceRegistry registry) {
        this(registry, new NetworkThreads("verbena-loopback"));
    }

    /**
     * Makes a network whose schedule belongs to the caller.
     *
     * @param registry where devices are announced
     * @param upcalls makes all upcalls; must not run a task on the stack of who hands it over, nor drop one
     * @param transfers moves data; may run a task on the stack of who hands it over
     * @param timer for what is due later
     */
    public LoopbackNetwork(DeviceRegistry registry, Executor upcalls, Executor transfers, Timer timer) {
        this(registry, upcalls, transfers, timer, () -> {});
    }

    /**
     * Adds a device and registers it.
     *
     * @param configuration how to make it
     * @return the device as it was registered
     * @throws IllegalStateException if the network is closed
     */
    public ProviderDevice add(DeviceConfiguration configuration) {
        checkOpen();
        LoopbackDevice device = new LoopbackDevice(configuration, this, listeners, upcalls, transfers, timer);
        Inspection inspection = inspections.inspection(configuration.name());
        ProviderDevice announced = new InspectedDevice(device, inspection);
        NetworkMember member =
                new NetworkMember(device, announced, new DevicePlug(announced, configuration.ranking(), registry));
        members.add(member);
        inspection.attach(member);
        LOG.info(
                "loopback device {} comes, addresses {}",
                configuration.name(),
                configuration.addresses().stream()
                        .map(InetAddress::getHostAddress)
                        .toList());
        member.plug();
        if (closed) {
            // The close may have missed it.
            remove(member);
            checkOpen();
        }
        return announced;
    }

    /**
     * Unregisters a device, and frees it as soon as nobody has it open.
     *
     * @param announced the device as it was registered
     */
    public void remove(ProviderDevice announced) {
        members.stream()
                .filter(member -> member.announced() == announced)
                .findFirst()
                .ifPresent(this::remove);
    }

    /**
     * Returns what can be let happen to the devices, and what was seen of how they are used.
     *
     * @return always the same object
     */
    public LoopbackFaults faults() {
        return inspections;
    }

    @Override
    public boolean covers(InetAddress address) {
        return AddressRange.contains(address)
                || members.stream()
                        .anyMatch(member -> member.device().addresses().contains(address));
    }

    @Override
    public boolean answers(InetAddress address) {
        return members.stream().anyMatch(member -> member.device().connections().answers(address));
    }

    /** Removes all devices. The threads end when the last of them is freed. */
    @Override
    public void close() {
        closed = true;
        members.forEach(this::remove);
        endIfEmpty();
    }

    private void remove(NetworkMember member) {
        member.unplug();
        member.device().whenClosed(() -> free(member));
    }

    private void free(NetworkMember member) {
        if (members.remove(member)) {
            inspections.inspection(member.device().name()).detach(member);
            LOG.info("loopback device {} is gone", member.device().name());
            endIfEmpty();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the loopback network is closed");
        }
    }

    private void endIfEmpty() {
        if (closed && members.isEmpty()) {
            whenEmpty.run();
        }
    }
}
