// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.time.Duration;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.verbena.rdma.itests.fixture.ConsumerBundles;
import org.verbena.rdma.itests.fixture.Loopback;
import org.verbena.rdma.itests.fixture.Loopback.Faults;
import org.verbena.rdma.itests.fixture.Peer;
import org.verbena.rdma.monitor.Monitor;

/** Consumers that take away what they stand on, or wait for what waits for them: it takes its time, but it ends. */
public class EntanglementIT extends DeviceTestBase {
    private static final String PROVIDER = "org.verbena.rdma.provider-loopback";
    private static final String OTHER_PROVIDER = "other-provider";
    private static final String ADDRESS = "198.18.0.1";
    /** Longer than anything takes that does not wait for it, also on a machine that is busy. */
    private static final Duration FAR = Duration.ofSeconds(30);

    private static final Duration AT_ONCE = Duration.ofSeconds(15);
    private static final Duration DEADLINE = Duration.ofSeconds(1);
    private static final Duration BUSY = Duration.ofSeconds(8);

    private Loopback otherLoopback;
    private final List<String> moments = new CopyOnWriteArrayList<>();

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            platform(),
            bundle(ConsumerBundles.copy(verbenaJar("provider-loopback"), OTHER_PROVIDER)
                    .toUri()
                    .toString()),
            peer("peer"),
            peer("other"),
            component("component", "component")
        };
    }

    @Before
    public void findProviders() {
        loopback = new Loopback(context, bundleNamed(PROVIDER).getLocation());
        otherLoopback = new Loopback(context, bundleNamed(OTHER_PROVIDER).getLocation());
    }

    @Test
    public void C14_aCallbackStopsTheProviderOfItsDevice() throws Exception {
        setDeadline(FAR);
        loopback.plug("lo1", ADDRESS);
        Faults faults = loopback.faults();
        Peer peer = startPeer("peer");
        CompletableFuture<Duration> stopped = new CompletableFuture<>();
        peer.inCallback("client 2 ESTABLISHED", () -> {
            stopped.complete(timedQuietly(() -> stop(PROVIDER)));
            assertThat(faults.open("lo1")).isZero();
        });

        peer.connect(ADDRESS, ADDRESS, peer.listen(ADDRESS));

        assertThat(stopped.get(60, TimeUnit.SECONDS)).isLessThan(AT_ONCE);
        peer.await("client 2 DEVICE_REMOVAL");
        peer.await("listener 1 DEVICE_REMOVAL");
        start(PROVIDER);
    }

    @Test
    public void C14_aDeactivateStopsTheProviderOfItsDevice() throws Exception {
        setDeadline(FAR);
        loopback.plug("lo1", ADDRESS);
        Faults faults = loopback.faults();
        Bundle component = startComponent((moment, destroy) -> {
            if (moment.equals("deactivate") && bundleNamed(PROVIDER).getState() == Bundle.ACTIVE) {
                timedQuietly(() -> stop(PROVIDER));
                moments.add("provider stopped with " + faults.open("lo1") + " open");
            }
        });

        Duration taken = timed(component::stop);

        assertThat(taken).isLessThan(AT_ONCE);
        assertThat(moments).contains("provider stopped with 0 open");
        assertThat(snapshotOf("component")).isEmpty();
        start(PROVIDER);
    }

    @Test
    public void C14_aCallbackWantsTheLockThatADeactivateHolds() throws Exception {
        configureCore(Map.of("removal.deadline.ms", DEADLINE.toMillis(), "service.deadline.ms", 100));
        loopback.plug("lo1", ADDRESS);
        ReentrantLock lock = new ReentrantLock();
        AtomicReference<String> refused = new AtomicReference<>("");
        startComponent((moment, destroy) -> {
            lock.lock();
            try {
                if (moment.equals("deactivate")) {
                    eventually().until(lock::hasQueuedThreads);
                    destroy.run();
                }
            } catch (IllegalStateException waitedInVain) {
                refused.set(waitedInVain.getMessage());
            } finally {
                lock.unlock();
            }
        });

        Duration taken = timed(
                () -> loopback.faults().pullOut("lo1").toCompletableFuture().join());

        assertThat(taken).isBetween(DEADLINE, DEADLINE.plus(BUSY));
        assertThat(refused.get()).contains("bundle component", "verbena-callback-");
        eventually().until(() -> logged("org.verbena.rdma.core").stream()
                .anyMatch(line -> line.matches("INFO device lo1 removed .* forced: component")));
        assertThat(loopback.faults().open("lo1")).isZero();
        eventually().until(() -> moments.contains("DEVICE_REMOVAL"));
    }

    @Test
    public void C14_aDeactivateThatHoldsTheLockOfACallbackStopsTheProvider() throws Exception {
        configureCore(Map.of("removal.deadline.ms", DEADLINE.toMillis(), "service.deadline.ms", 100));
        loopback.plug("lo1", ADDRESS);
        Faults faults = loopback.faults();
        ReentrantLock lock = new ReentrantLock();
        Peer other = startPeer("other");
        Bundle component = startComponent((moment, destroy) -> {
            lock.lock();
            try {
                if (moment.equals("deactivate") && bundleNamed(PROVIDER).getState() == Bundle.ACTIVE) {
                    other.connect(ADDRESS, ADDRESS, 7200);
                    eventually().until(lock::hasQueuedThreads);
                    timedQuietly(() -> stop(PROVIDER));
                }
            } finally {
                lock.unlock();
            }
        });

        Duration taken = timed(component::stop);

        // The session that ends and the removal may each wait for the callback.
        assertThat(taken).isBetween(DEADLINE, DEADLINE.multipliedBy(2).plus(BUSY));
        assertThat(faults.open("lo1")).isZero();
        eventually().until(() -> moments.contains("CONNECT_REQUEST"));
        start(PROVIDER);
    }

    @Test
    public void C14_removalsNestInEachOther() throws Exception {
        setDeadline(DEADLINE);
        loopback.plug("lo1", ADDRESS);
        otherLoopback.plug("lo2", "198.18.0.2");
        Peer peer = startPeer("peer");
        peer.listen(ADDRESS);
        peer.listen("198.18.0.2");
        CountDownLatch both = new CountDownLatch(2);
        peer.inCallbacks((event, destroy) -> {
            timedQuietly(() -> stop(event.startsWith("listener 1") ? OTHER_PROVIDER : PROVIDER));
            both.countDown();
        });
        Faults faults = loopback.faults();

        Duration taken = timed(() -> stop(PROVIDER));

        assertThat(taken).isLessThan(DEADLINE.multipliedBy(2).plus(BUSY));
        assertThat(both.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(faults.open("lo1")).isZero();
        assertThat(peer.events()).containsExactlyInAnyOrder("listener 1 DEVICE_REMOVAL", "listener 2 DEVICE_REMOVAL");
        start(PROVIDER);
    }

    @Test
    public void C14_callbacksOfTwoBundlesStopEachOthersBundle() throws Exception {
        setDeadline(FAR);
        loopback.plug("lo1", ADDRESS);
        Peer peer = startPeer("peer");
        Peer other = startPeer("other");
        CountDownLatch met = new CountDownLatch(2);
        List<CompletableFuture<Duration>> stops = List.of(new CompletableFuture<>(), new CompletableFuture<>());
        peer.inCallback("CONNECT_REQUEST", () -> meetAndStop(met, "other", stops.get(0)));
        other.inCallback("CONNECT_REQUEST", () -> meetAndStop(met, "peer", stops.get(1)));
        int port = peer.listen(ADDRESS);
        int otherPort = other.listen(ADDRESS);

        other.connect(ADDRESS, ADDRESS, port);
        peer.connect(ADDRESS, ADDRESS, otherPort);

        for (CompletableFuture<Duration> stopped : stops) {
            assertThat(stopped.get(60, TimeUnit.SECONDS)).isLessThan(AT_ONCE);
        }
        eventually().until(() -> snapshot().consumers().isEmpty());
    }

    private void meetAndStop(CountDownLatch met, String bundle, CompletableFuture<Duration> stopped) {
        met.countDown();
        await(met);
        stopped.complete(timedQuietly(() -> stop(bundle)));
    }

    @Test
    public void C14_aCallbackWaitsForTheRemovalThatWaitsForIt() throws Exception {
        setDeadline(DEADLINE);
        loopback.plug("lo1", ADDRESS);
        Peer peer = startPeer("peer");
        Monitor monitor = context.getService(context.getServiceReference(Monitor.class));
        CompletableFuture<Duration> unplugged = new CompletableFuture<>();
        peer.inCallback(
                "client 2 ESTABLISHED",
                () -> unplugged.complete(timedQuietly(
                        () -> monitor.unplug("lo1").toCompletableFuture().join())));

        peer.connect(ADDRESS, ADDRESS, peer.listen(ADDRESS));

        assertThat(unplugged.get(60, TimeUnit.SECONDS)).isBetween(DEADLINE, DEADLINE.plus(BUSY));
        assertThat(loopback.faults().open("lo1")).isZero();
        peer.await("client 2 DEVICE_REMOVAL");
    }

    private Peer startPeer(String bundle) throws Exception {
        start(bundle);
        return new Peer(context, bundle);
    }

    /** Starts the component, which needs the device; what it says is written down, also without the hook. */
    private Bundle startComponent(BiConsumer<String, Runnable> hook) throws Exception {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("hook", "component");
        BiConsumer<String, Runnable> recording = (moment, destroy) -> {
            hook.accept(moment, destroy);
            moments.add(moment);
        };
        context.registerService(BiConsumer.class, recording, properties);
        Bundle component = start("component");
        eventually().until(() -> moments.contains("activate"));
        return component;
    }
}
