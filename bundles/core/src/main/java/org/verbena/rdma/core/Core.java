package org.verbena.rdma.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.core.address.PortTable;
import org.verbena.rdma.core.address.SourceAddressLookup;
import org.verbena.rdma.core.cm.SessionConnectionManager;
import org.verbena.rdma.core.cm.SessionDevice;
import org.verbena.rdma.core.cm.Surroundings;
import org.verbena.rdma.core.cm.WildcardListeners;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.DevicePublisher;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.device.Devices;
import org.verbena.rdma.core.dispatch.Dispatcher;
import org.verbena.rdma.core.dispatch.Errands;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.monitor.CoreMonitor;
import org.verbena.rdma.core.recording.Recorder;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.core.session.Consumer;
import org.verbena.rdma.core.session.Consumers;
import org.verbena.rdma.core.session.Session;
import org.verbena.rdma.core.session.SessionMember;

/**
 * Core without a framework: the parts, put together. What a framework adds (services that come and go, bundles that stop,
 * configuration) is in the osgi package.
 *
 * <p>The configuration is swapped whole through an atomic reference; everything else is guarded where it lives.
 */
public final class Core {
    private static final Logger LOGGER = LoggerFactory.getLogger(Core.class);

    private final AtomicReference<CoreConfiguration> configuration;
    private final Dispatcher dispatcher;
    private final Devices devices;
    private final Surroundings surroundings;
    private final Consumers consumers;
    private final CoreMonitor monitor;

    /**
     * Puts core together and starts its threads.
     *
     * @param initial what is set
     * @param publisher shows devices to consumers
     * @param routing the routing of the machine
     */
    public Core(CoreConfiguration initial, DevicePublisher publisher, SourceAddressLookup routing) {
        configuration = new AtomicReference<>(initial);
        Supplier<CoreConfiguration> settings = configuration::get;
        Recorder recorder = Recorder.available();
        dispatcher = new Dispatcher(
                () -> settings.get().blockedCallbacks(),
                () -> settings.get().blockedAfter().toMillis(),
                recorder);
        consumers = new Consumers(dispatcher);
        monitor = new CoreMonitor(dispatcher, consumers);
        devices = new Devices(settings, new Guard(), dispatcher, publisher, monitor, recorder);
        WildcardListeners wildcards = new WildcardListeners();
        devices.follow(wildcards::follow);
        surroundings = new Surroundings(
                settings,
                dispatcher,
                devices,
                new PortTable(new SplittableRandom()),
                routing,
                wildcards,
                new AtomicLong(),
                monitor);
        monitor.watch(devices);
        dispatcher.blockedCallbacks(monitor);
    }

    /**
     * Sets what can be set.
     *
     * @param changed applies to what begins from now on
     */
    public void configure(CoreConfiguration changed) {
        configuration.set(changed);
    }

    /**
     * Returns for how long callbacks of a bundle that stops are waited for.
     *
     * @return the deadline
     */
    public Duration removalDeadline() {
        return configuration.get().removalDeadline();
    }

    /**
     * Returns the devices.
     *
     * @return the devices
     */
    public Devices devices() {
        return devices;
    }

    /**
     * Returns the view from above.
     *
     * @return the monitor
     */
    public CoreMonitor monitor() {
        return monitor;
    }

    /**
     * Returns core's threads.
     *
     * @return the dispatcher
     */
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    // Sessions

    /**
     * Opens a session of a consumer.
     *
     * @param name the symbolic name of the bundle
     * @param bundleId the number of the bundle, -1 outside of a framework
     * @param version what it was built against
     * @return a new session
     */
    public Session openSession(String name, long bundleId, CmVersion version) {
        return consumers.openSession(name, bundleId, version);
    }

    /**
     * Returns the connection manager as a session sees it.
     *
     * @param session the session
     * @return its connection manager
     */
    public ConnectionManager connectionManager(Session session) {
        return new SessionConnectionManager(session, surroundings);
    }

    /**
     * Returns a device as a session sees it.
     *
     * @param session the session
     * @param device the device
     * @return its view
     */
    public RdmaDevice device(Session session, Device device) {
        return new SessionDevice(session, device);
    }

    /**
     * Ends a session (C12): when this has returned, everything made through it is gone and none of its consumer's code
     * runs any more, but for callbacks that did not end by the deadline and the one on whose stack this is called.
     *
     * @param session the session
     */
    public void endSession(Session session) {
        endSessions(List.of(session));
    }

    /**
     * A consumer gives a device back. If it does because the device is going, its session ends, but what was made through
     * it is left to the removal, whose first step this is: its ids have not been told yet, and what their work comes to
     * must stay readable (C10). The removal takes it away at its deadline at the latest; a bundle that stops does at once,
     * see {@link #endBundle(long)}.
     *
     * @param session the session through which the consumer has seen the device
     * @param device the device
     */
    public void giveBack(Session session, Device device) {
        if (device.isMarked()) {
            session.markEnded();
            session.members().forEach(SessionMember::endWithSession);
            consumers.closeSession(session);
        } else {
            endSession(session);
        }
    }

    /**
     * A bundle has stopped: takes away what {@link #giveBack} has left to removals that are still running (C12).
     *
     * @param bundleId the number of the bundle
     */
    public void endBundle(long bundleId) {
        List<Session> left = presentDevices().stream()
                .filter(Device::isMarked)
                .flatMap(device -> device.verbs().countsByOwner().keySet().stream())
                .map(Session.class::cast)
                .filter(session -> session.consumer().bundleId() == bundleId)
                .distinct()
                .toList();
        if (!left.isEmpty()) {
            endSessions(left);
        }
    }

    private List<Device> presentDevices() {
        return devices.slots().stream()
                .map(DeviceSlot::device)
                .filter(Objects::nonNull)
                .toList();
    }

    private void endSessions(Collection<Session> ending) {
        long deadline =
                System.nanoTime() + configuration.get().removalDeadline().toNanos();
        ending.forEach(Session::markEnded);
        List<Runnable> members = new ArrayList<>();
        List<Runnable> verbsObjects = new ArrayList<>();
        for (Session session : ending) {
            session.members().forEach(member -> members.add(member::endWithSession));
            for (Device device : presentDevices()) {
                verbsObjects.add(() -> device.verbs().endOwner(session, deadline));
            }
        }
        if (dispatcher.inCallback()) {
            // Inside of a callback nothing is waited for; the ids end when their callbacks do.
            members.forEach(Runnable::run);
            verbsObjects.forEach(Runnable::run);
        } else {
            // A provider that hangs in a close holds up neither what is closed on other devices nor the end for ever.
            boolean done = new Errands(dispatcher, members).runUntil(deadline);
            done &= new Errands(dispatcher, verbsObjects).runUntil(deadline);
            if (!done) {
                LOGGER.warn("a session has ended while a provider hangs in the close of what was made through it");
            }
            ending.forEach(session -> session.awaitMembers(deadline));
        }
        ending.forEach(consumers::closeSession);
    }

    /** Removes all devices under one deadline; the first part of {@link #stop()}. */
    public void removeDevices() {
        devices.stopPlugging();
        devices.remove(List.copyOf(devices.slots()), "core is stopping");
    }

    /**
     * Stops core (C20): removes all devices under one deadline, ends the sessions, and stops the dispatcher last. The
     * providers' devices are left as they were before they were opened.
     */
    public void stop() {
        removeDevices();
        List<Session> open = consumers.all().stream()
                .map(Consumer::sessions)
                .flatMap(Collection::stream)
                .toList();
        endSessions(open);
        monitor.close();
        dispatcher.close();
        LOGGER.debug("core has stopped");
    }
}
