package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.DevicePublisher;
import org.verbena.rdma.core.device.DeviceRank;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.dispatch.Lane;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.core.session.Session;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** Core without a framework, with scripted devices, and what tests need around it. */
final class Bench implements AutoCloseable {
    static final CoreConfiguration QUICK = new CoreConfiguration(
            Duration.ofMillis(400),
            Duration.ofMillis(100),
            Duration.ofMillis(600),
            4,
            Duration.ofMillis(100),
            Duration.ofMillis(50));
    /** For tests in which no time may be over before the test says so, however busy the machine is. */
    static final CoreConfiguration PATIENT = new CoreConfiguration(
            Duration.ofHours(1),
            Duration.ofHours(1),
            Duration.ofHours(1),
            4,
            Duration.ofMillis(100),
            Duration.ofMillis(50));

    /** The same for calls into providers alone: consumers have no more time than usual. */
    static final CoreConfiguration PATIENT_WITH_PROVIDERS = new CoreConfiguration(
            QUICK.removalDeadline(),
            QUICK.serviceDeadline(),
            Duration.ofHours(1),
            4,
            Duration.ofMillis(100),
            Duration.ofMillis(50));

    static final String LOCAL = "192.0.2.1";
    static final String REMOTE = "192.0.2.50";

    final Core core;
    final RecordingPublisher publisher = new RecordingPublisher();
    private final Map<ScriptedDevice, DeviceSlot> slots = new ConcurrentHashMap<>();
    private final List<CountDownLatch> releases = new ArrayList<>();
    private long serviceId;

    Bench() {
        this(QUICK);
    }

    Bench(CoreConfiguration configuration) {
        core = new Core(configuration, publisher, destination -> {
            try {
                return java.net.InetAddress.getByName(LOCAL);
            } catch (java.net.UnknownHostException impossible) {
                return null;
            }
        });
    }

    /** Counts what is published; a hook runs where consumers would be deactivated. */
    static final class RecordingPublisher implements DevicePublisher {
        final Set<String> published = ConcurrentHashMap.newKeySet();
        volatile Runnable whenUnpublished = () -> {};
        volatile Runnable whenPublished = () -> {};

        @Override
        public void publish(Device device) {
            published.add(device.name());
            whenPublished.run();
        }

        @Override
        public void update(Device device) {}

        @Override
        public void unpublish(Device device) {
            published.remove(device.name());
            whenUnpublished.run();
        }
    }

    ScriptedDevice plug(String name, String... addresses) {
        ScriptedDevice device = new ScriptedDevice(name, addresses);
        plug(device, 0);
        return device;
    }

    void plug(ScriptedDevice device, int ranking) {
        offer(device, ranking);
        await(() -> core.devices().book().devices().stream()
                .anyMatch(present -> present.name().equals(device.name())));
        await(() -> publisher.published.contains(device.name()));
        await(() -> slots.get(device).condition().name().equals("PRESENT"));
    }

    DeviceSlot offer(ScriptedDevice device, int ranking) {
        DeviceSlot slot = core.devices().offer(device, new DeviceRank(ranking, ++serviceId));
        slots.put(device, slot);
        return slot;
    }

    /** What the unregistration of the provider's service does; returns when it would. */
    void pull(ScriptedDevice device) {
        core.devices().withdraw(List.of(slots.remove(device)), "test");
    }

    Thread pullInBackground(ScriptedDevice device) {
        return background("puller", () -> pull(device));
    }

    static Thread background(String name, Runnable task) {
        Thread thread = new Background(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Keeps what its task throws for {@link #join}. */
    private static final class Background extends Thread {
        private volatile Throwable thrown;

        Background(Runnable task, String name) {
            super(task, name);
            setUncaughtExceptionHandler((self, failure) -> thrown = failure);
        }
    }

    Consumer consumer(String bundle) {
        return consumer(bundle, CmVersion.CURRENT);
    }

    Consumer consumer(String bundle, CmVersion version) {
        return new Consumer(core.openSession(bundle, -1, version));
    }

    /** A consumer bundle with one session. */
    final class Consumer {
        final Session session;
        final ConnectionManager connectionManager;

        Consumer(Session session) {
            this.session = session;
            connectionManager = core.connectionManager(session);
        }

        RdmaDevice device(String name) {
            Device found = core.devices().book().devices().stream()
                    .filter(device -> device.name().equals(name))
                    .findFirst()
                    .orElseThrow();
            return core.device(session, found);
        }

        CmId id(Probe probe) {
            return call(() -> connectionManager.createId(PortSpace.TCP, probe));
        }

        /** An id in ADDR_RESOLVED. */
        CmId resolved(ScriptedDevice device, Probe probe) {
            CmId id = id(probe);
            run(() -> id.resolveAddress(null, new InetSocketAddress(REMOTE, 7174), Duration.ofSeconds(5)));
            endpoint(device).upcalls.addressResolved(new InetSocketAddress(LOCAL, 1));
            probe.await(CmEventType.ADDR_RESOLVED);
            return id;
        }

        /** An id in ROUTE_RESOLVED. */
        CmId routed(ScriptedDevice device, Probe probe) {
            CmId id = resolved(device, probe);
            run(() -> id.resolveRoute(Duration.ofSeconds(5)));
            endpoint(device).upcalls.routeResolved();
            probe.await(CmEventType.ROUTE_RESOLVED);
            return id;
        }

        /** An id that is established, without outstanding work. */
        CmId established(ScriptedDevice device, Probe probe) {
            CmId id = routed(device, probe);
            queuePair(id);
            run(() -> id.connect(ConnectionParameters.defaults()));
            endpoint(device).queuePair.state = org.verbena.rdma.QueuePairState.READY;
            endpoint(device).upcalls.established(ConnectionParameters.defaults());
            probe.await(CmEventType.ESTABLISHED);
            return id;
        }

        Verbs queuePair(CmId id) {
            return call(() -> {
                RdmaDevice device = id.device();
                ProtectionDomain domain = device.createProtectionDomain();
                CompletionQueue queue = device.createCompletionQueue(64, null);
                QueuePair made = id.createQueuePair(domain, QueuePairConfiguration.reliable(queue));
                return new Verbs(domain, queue, made);
            });
        }

        /** A listener on the wildcard. */
        CmId listening(Probe probe) {
            CmId id = id(probe);
            run(() -> {
                id.bindAddress(new InetSocketAddress("0.0.0.0", 0));
                id.listen(4);
            });
            assertThat(id.state()).isEqualTo(CmState.LISTEN);
            return id;
        }

        void end() {
            core.endSession(session);
        }
    }

    record Verbs(ProtectionDomain domain, CompletionQueue queue, QueuePair queuePair) {
        void postReceive(long number) {
            run(() -> {
                var region = domain.registerMemory(ByteBuffer.allocateDirect(64), Set.of(Access.LOCAL_WRITE));
                queuePair.postReceive(
                        domain.createReceiveWorkRequest(1).workRequestId(number).segment(region, 0, 64));
            });
        }
    }

    /** Holds the caller of an action at core's look at the mark of a device, and does something meanwhile. */
    void atMark(String name, Runnable action, Runnable meanwhile) {
        Device held = core.devices().book().devices().stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElseThrow();
        Thread caller;
        synchronized (held) {
            caller = background("caller", action);
            await(() -> caller.getState() == Thread.State.BLOCKED);
            meanwhile.run();
        }
        join(caller);
    }

    /** Waits until callbacks that were scheduled before on the lane of a consumer have had their turn. */
    static void passLane(Consumer consumer) {
        CountDownLatch passed = new CountDownLatch(2);
        Lane lane = consumer.session.consumer().lane();
        lane.execute("test", () -> lane.execute("test", passed::countDown));
        lane.execute("test", passed::countDown);
        await(passed);
        try {
            // Nothing can be waited for that does not happen; a wrong event would come within this time.
            assertThat(new CountDownLatch(1).await(30, TimeUnit.MILLISECONDS)).isFalse();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    RemovalSnapshot.Step step(String device) {
        return core.monitor().snapshot().removals().stream()
                .filter(removal -> removal.device().equals(device))
                .map(RemovalSnapshot::step)
                .findFirst()
                .orElse(null);
    }

    List<String> forcedBundles() {
        return core.monitor().snapshot().consumers().stream()
                .filter(snapshot -> snapshot.forced() > 0)
                .map(org.verbena.rdma.monitor.ConsumerSnapshot::bundle)
                .toList();
    }

    static void awaitDestroyed(CmId id) {
        await(() -> id.destroyed().toCompletableFuture().isDone());
    }

    static ScriptedDevice.ScriptedEndpoint endpoint(ScriptedDevice device) {
        return device.endpoints.get(device.endpoints.size() - 1);
    }

    /** No deadline comes any more until the end of the test. */
    void bePatient() {
        core.configure(PATIENT);
    }

    /** A latch that is released at the end of the test, whatever happens. */
    CountDownLatch latch() {
        CountDownLatch latch = new CountDownLatch(1);
        releases.add(latch);
        return latch;
    }

    static void await(Supplier<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(2))
                .until(condition::get);
    }

    static void await(CountDownLatch latch) {
        try {
            if (!latch.await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("nothing has happened in 20 s");
            }
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    static void join(Thread thread) {
        try {
            thread.join(20_000);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
        assertThat(thread.isAlive()).as(thread.getName() + " still runs").isFalse();
        if (thread instanceof Background background) {
            assertThat(background.thrown).as(thread.getName()).isNull();
        }
    }

    interface Action {
        void run() throws RdmaException;
    }

    interface Call<T> {
        T make() throws RdmaException;
    }

    static void run(Action action) {
        try {
            action.run();
        } catch (RdmaException failed) {
            throw new AssertionError(failed);
        }
    }

    static <T> T call(Call<T> call) {
        try {
            return call.make();
        } catch (RdmaException failed) {
            throw new AssertionError(failed);
        }
    }

    @Override
    public void close() {
        releases.forEach(CountDownLatch::countDown);
        core.configure(QUICK);
        core.stop();
        slots.keySet().forEach(device -> assertThat(device.violations).isEmpty());
    }
}
