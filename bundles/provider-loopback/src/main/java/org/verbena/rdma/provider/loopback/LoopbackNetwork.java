package org.verbena.rdma.provider.loopback;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.provider.loopback.connection.ListenerTable;
import org.verbena.rdma.provider.loopback.connection.Neighbours;
import org.verbena.rdma.provider.loopback.schedule.NetworkThreads;
import org.verbena.rdma.provider.loopback.schedule.Timer;
import org.verbena.rdma.spi.ProviderDevice;

/** A network within one JVM: devices that reach each other. It has no lock; the list is safe by itself. */
public final class LoopbackNetwork implements Neighbours, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoopbackNetwork.class);

    private record Member(LoopbackDevice device, ProviderDevice announced, DevicePlug plug) {}

    private final DeviceRegistry registry;
    private final Executor upcalls;
    private final Executor transfers;
    private final Timer timer;
    private final Runnable whenClosed;
    private final ListenerTable listeners = new ListenerTable();
    private final List<Member> members = new CopyOnWriteArrayList<>();

    private LoopbackNetwork(DeviceRegistry registry, NetworkThreads threads) {
        this(registry, threads, Runnable::run, threads, threads::close);
    }

    private LoopbackNetwork(
            DeviceRegistry registry, Executor upcalls, Executor transfers, Timer timer, Runnable whenClosed) {
        this.registry = registry;
        this.upcalls = upcalls;
        this.transfers = transfers;
        this.timer = timer;
        this.whenClosed = whenClosed;
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
     */
    public ProviderDevice add(DeviceConfiguration configuration) {
        LoopbackDevice device = new LoopbackDevice(configuration, this, listeners, upcalls, transfers, timer);
        ProviderDevice announced = device;
        Member member = new Member(device, announced, new DevicePlug(announced, registry));
        members.add(member);
        LOG.info("loopback device {} comes, addresses {}", configuration.name(), configuration.addresses());
        member.plug().plug();
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

    @Override
    public boolean covers(InetAddress address) {
        return AddressRange.contains(address)
                || members.stream()
                        .anyMatch(member -> member.device().addresses().contains(address));
    }

    @Override
    public boolean answers(InetAddress address) {
        for (Member member : members) {
            if (member.device().connections().answers(address)) {
                return true;
            }
        }
        return false;
    }

    /** Removes all devices. */
    @Override
    public void close() {
        members.forEach(this::remove);
        whenClosed.run();
    }

    private void remove(Member member) {
        member.plug().unplug();
        member.device().whenClosed(() -> {
            if (members.remove(member)) {
                LOG.info("loopback device {} is gone", member.device().name());
            }
        });
    }
}
