package org.verbena.rdma.core.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.core.cm.ConnectionId;
import org.verbena.rdma.core.cm.EventObserver;
import org.verbena.rdma.core.cm.IdView;
import org.verbena.rdma.core.device.AddressBook;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.DeviceDescription;
import org.verbena.rdma.core.device.DeviceObserver;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.device.Devices;
import org.verbena.rdma.core.device.Removal;
import org.verbena.rdma.core.dispatch.Callback;
import org.verbena.rdma.core.dispatch.DispatchedFuture;
import org.verbena.rdma.core.dispatch.Dispatcher;
import org.verbena.rdma.core.dispatch.Lane;
import org.verbena.rdma.core.session.Consumer;
import org.verbena.rdma.core.session.Consumers;
import org.verbena.rdma.core.session.Session;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.MonitorListener;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.Snapshot;

/**
 * Takes snapshots of everything, and tells listeners. The set of listeners is concurrent; each listener has a queue of
 * its own, and while there is none, events cost a look at an empty set.
 */
public final class CoreMonitor implements Monitor, DeviceObserver, EventObserver, Dispatcher.BlockedCallbacks {
    private static final Logger LOGGER = LoggerFactory.getLogger(CoreMonitor.class);

    private static final Duration FOR_EVER = Duration.ofDays(3_650);

    private final Dispatcher dispatcher;
    private final Consumers consumers;
    private final Lane lane;
    private final CounterReadings counters;
    private final Set<ListenerQueue> listeners = ConcurrentHashMap.newKeySet();
    private volatile Devices devices;

    /**
     * Makes a monitor.
     *
     * @param dispatcher the threads that listeners are called on
     * @param consumers the bundles that have sessions
     */
    public CoreMonitor(Dispatcher dispatcher, Consumers consumers) {
        this.dispatcher = dispatcher;
        this.consumers = consumers;
        lane = dispatcher.lane("monitor listeners");
        counters = new CounterReadings(dispatcher.core());
    }

    /**
     * Sets the devices, once, while core is put together.
     *
     * @param all the devices
     */
    public void watch(Devices all) {
        devices = all;
    }

    /** Tells listeners no more. */
    public void close() {
        listeners.clear();
        dispatcher.drop(lane);
    }

    // Snapshots

    @Override
    public Snapshot snapshot() {
        counters.read(devices.slots().stream()
                .map(DeviceSlot::serving)
                .filter(Objects::nonNull)
                .toList());
        List<DeviceSnapshot> deviceSnapshots = new ArrayList<>();
        List<RemovalSnapshot> removals = new ArrayList<>();
        for (DeviceSlot slot : devices.slots()) {
            deviceSnapshots.add(device(slot));
            Removal removal = slot.removal();
            if (removal != null) {
                removals.add(removal.snapshot());
            }
        }
        deviceSnapshots.sort(Comparator.comparing(DeviceSnapshot::name)
                .thenComparing(DeviceSnapshot::condition)
                .thenComparing(DeviceSnapshot::number));
        List<IdSnapshot> ids = new ArrayList<>();
        List<ListenerSnapshot> listening = new ArrayList<>();
        List<ConnectionSnapshot> connections = new ArrayList<>();
        List<ConsumerSnapshot> consumerSnapshots = new ArrayList<>();
        for (Consumer consumer : consumers.all()) {
            consumerSnapshots.add(consumer(consumer));
            for (ConnectionId id : ids(consumer)) {
                IdView view = id.view();
                if (view.isListener()) {
                    listening.add(view.listener());
                } else if (view.isConnection()) {
                    connections.add(view.connection());
                } else {
                    ids.add(view.snapshot());
                }
            }
        }
        ids.sort(Comparator.comparingLong(IdSnapshot::number));
        listening.sort(Comparator.comparingLong(listener -> listener.id().number()));
        connections.sort(Comparator.comparingLong(connection -> connection.id().number()));
        consumerSnapshots.sort(Comparator.comparing(ConsumerSnapshot::bundle));
        return new Snapshot(Instant.now(), deviceSnapshots, ids, listening, connections, consumerSnapshots, removals);
    }

    private DeviceSnapshot device(DeviceSlot slot) {
        Device device = slot.device();
        DeviceDescription description = slot.description();
        AddressBook book = devices.book();
        List<String> served = device == null ? List.of() : texts(book.servedBy(device));
        List<String> shadowed =
                device == null || !book.devices().contains(device) ? List.of() : texts(book.shadowed(device));
        return new DeviceSnapshot(
                slot.number(),
                slot.name(),
                description.provider(),
                description.transport(),
                description.guid(),
                served,
                shadowed,
                device == null ? "unknown" : device.link().name().toLowerCase(Locale.ROOT),
                slot.condition(),
                slot.detail().isEmpty() && device != null ? devices.hungCall(device) : slot.detail(),
                device == null ? 0 : device.members().size(),
                device == null ? Map.of() : device.verbs().countsByKind(),
                device == null ? Map.of() : device.counters());
    }

    private static List<String> texts(List<java.net.InetAddress> addresses) {
        return addresses.stream().map(java.net.InetAddress::getHostAddress).toList();
    }

    private ConsumerSnapshot consumer(Consumer consumer) {
        List<String> blocked = dispatcher.running().stream()
                .filter(callback -> callback.lane() == consumer.lane() && dispatcher.isBlocked(callback))
                .map(callback -> callback.thread().getName())
                .toList();
        int verbsObjects = 0;
        for (DeviceSlot slot : devices.slots()) {
            Device device = slot.device();
            if (device != null) {
                for (Session session : consumer.sessions()) {
                    verbsObjects += device.verbs().countsByOwner().getOrDefault(session, 0);
                }
            }
        }
        return new ConsumerSnapshot(
                consumer.name(),
                consumer.bundleId(),
                consumer.version().toString(),
                consumer.sessions().size(),
                ids(consumer).size(),
                verbsObjects,
                blocked,
                consumer.lane().waiting(),
                consumer.forced());
    }

    private static List<ConnectionId> ids(Consumer consumer) {
        List<ConnectionId> ids = new ArrayList<>();
        for (Session session : consumer.sessions()) {
            session.members().forEach(member -> {
                if (member instanceof ConnectionId id) {
                    ids.add(id);
                }
            });
        }
        return ids;
    }

    // Taking out and putting back

    @Override
    public CompletionStage<Void> unplug(String device) throws RdmaException {
        return unplug(device, () -> true);
    }

    /**
     * Takes a device out for a bundle.
     *
     * @param device the name of the device
     * @param goesOn asked before each continuation whether it may still run
     * @return completed when the device is out
     * @throws RdmaException as {@link #unplug(String)}
     */
    public CompletionStage<Void> unplug(String device, BooleanSupplier goesOn) throws RdmaException {
        DispatchedFuture<Void> ended = future(goesOn);
        devices.unplug(device, ended);
        return ended.copy();
    }

    @Override
    public CompletionStage<Void> plug(String device) throws RdmaException {
        return plug(device, () -> true);
    }

    /**
     * Puts a device back for a bundle.
     *
     * @param device the name of the device
     * @param goesOn asked before each continuation whether it may still run
     * @return completed when the device serves, or cannot
     * @throws RdmaException as {@link #plug(String)}
     */
    public CompletionStage<Void> plug(String device, BooleanSupplier goesOn) throws RdmaException {
        DispatchedFuture<Void> ended = future(goesOn);
        devices.plug(device, ended);
        return ended.copy();
    }

    private DispatchedFuture<Void> future(BooleanSupplier goesOn) {
        return new DispatchedFuture<>(task -> lane.execute("continuation of unplug or plug", () -> {
            if (goesOn.getAsBoolean()) {
                task.run();
            }
        }));
    }

    // Listeners

    @Override
    public ListenerRegistration addListener(MonitorListener listener) {
        ListenerQueue queue = new ListenerQueue(listener, lane, dispatcher);
        listeners.add(queue);
        return new ListenerRegistration(queue);
    }

    /** A listener's registration, of which whoever ends a bundle waits for a limited time only. */
    public final class ListenerRegistration implements Registration {
        private final ListenerQueue queue;

        ListenerRegistration(ListenerQueue queue) {
            this.queue = queue;
        }

        @Override
        public void close() {
            end(FOR_EVER);
        }

        /**
         * Ends it; no call begins any more.
         *
         * @param limit for how long to wait for the call that runs
         * @return whether no call runs any more
         */
        public boolean end(Duration limit) {
            listeners.remove(queue);
            return queue.close(limit);
        }
    }

    @Override
    public void deviceUp(Device device) {
        if (listeners.isEmpty()) {
            return;
        }
        for (DeviceSlot slot : devices.slots()) {
            if (slot.device() == device) {
                DeviceSnapshot snapshot = device(slot);
                tell(listener -> listener.deviceUp(snapshot));
            }
        }
    }

    @Override
    public void removalStep(RemovalSnapshot removal) {
        if (listeners.isEmpty()) {
            return;
        }
        tell(listener -> listener.removalStep(removal));
        if (removal.step() == RemovalSnapshot.Step.DONE) {
            tell(listener -> listener.deviceDown(removal));
        }
    }

    @Override
    public void delivered(ConnectionId id, CmEventType type) {
        if (listeners.isEmpty()) {
            return;
        }
        IdSnapshot snapshot = id.view().snapshot();
        tell(listener -> listener.event(snapshot, type.name()));
    }

    @Override
    public void blocked(Callback callback, boolean blocked) {
        if (listeners.isEmpty()) {
            return;
        }
        for (Consumer consumer : consumers.all()) {
            if (consumer.lane() == callback.lane()) {
                ConsumerSnapshot snapshot = consumer(consumer);
                String thread = callback.thread().getName();
                tell(listener -> listener.callbackBlocked(snapshot, thread, blocked));
            }
        }
    }

    private void tell(java.util.function.Consumer<MonitorListener> call) {
        for (ListenerQueue queue : listeners) {
            try {
                queue.add(call);
            } catch (RuntimeException failed) {
                LOGGER.debug("a monitor listener could not be told", failed);
            }
        }
    }
}
