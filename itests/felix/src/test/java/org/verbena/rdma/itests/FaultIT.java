// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.frameworkProperty;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.time.Duration;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.verbena.rdma.itests.fixture.Loopback.Faults;
import org.verbena.rdma.itests.fixture.Peer;
import org.verbena.rdma.itests.fixture.Reflected;
import org.verbena.rdma.itests.fixture.Traffic;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.Monitor;

/** Consumers and providers that do what they should not: all else goes on, and the log says in one line who it was. */
public class FaultIT extends DeviceTestBase {
    private static final String CORE = "org.verbena.rdma.core";
    private static final String ADDRESS = "198.18.0.1";
    private static final String OTHER_ADDRESS = "198.18.0.2";

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            platform(),
            // Components that are slow to deactivate need not be slower than this.
            frameworkProperty("ds.lock.timeout.milliseconds").value("500"),
            peer("peer"),
            peer("other"),
            component("component", "component"),
            component("traffic", "traffic")
        };
    }

    @Test
    public void C13_aCallbackThatBlocksForEverIsNamedAndForced() throws Exception {
        configureCore(Map.of("removal.deadline.ms", 500, "blocked.after.ms", 200));
        loopback.plug("lo1", ADDRESS);
        Peer peer = startPeer("peer");
        Peer other = startPeer("other");
        CountDownLatch release = latch();
        peer.inCallback("client 2 ESTABLISHED", () -> await(release));
        peer.connect(ADDRESS, ADDRESS, peer.listen(ADDRESS));

        awaitLogged("WARN bundle peer blocks: its .* has been running for \\d+ ms on thread verbena-callback-\\d+");
        other.establish(ADDRESS, ADDRESS, other.listen(ADDRESS));
        pullOut("lo1");

        awaitLogged("INFO device lo1 removed after \\d+ ms .*: \\d ids told, forced: peer");
        assertThat(loopback.faults().open("lo1")).isZero();
        release.countDown();
        awaitLogged("INFO bundle peer goes on: its .* has ended, in less than \\d+ ms");
        // Its end came before the removal, and the peer answers it with DESTROY.
        peer.await("client 2 DISCONNECTED");
    }

    @Test
    public void C4_whateverACallbackThrowsDestroysItsIdAndIsLoggedWithItsBundle() throws Exception {
        loopback.plug("lo1", ADDRESS);
        Peer peer = startPeer("peer");
        int port = peer.listen(ADDRESS);
        List<Runnable> throwers = List.of(
                () -> {
                    throw new IllegalArgumentException("an exception");
                },
                () -> {
                    throw new NoClassDefFoundError("a class");
                },
                () -> {
                    throw new OutOfMemoryError("said, not true");
                },
                FaultIT::recurse);
        for (Runnable thrower : throwers) {
            forgetLog();
            peer.inCallback("ROUTE_RESOLVED", thrower);
            peer.connect(ADDRESS, ADDRESS, port);

            awaitLogged("WARN bundle peer threw on .*ROUTE_RESOLVED.*: the id is destroyed");
            eventually().until(() -> snapshot().ids().isEmpty());
            eventually().until(() -> openBesidesDeviceAndListener() == 0);
        }
        peer.inCallback("ROUTE_RESOLVED", () -> {});
        peer.establish(ADDRESS, ADDRESS, port);
    }

    private int openBesidesDeviceAndListener() {
        // The peer leaves its domains and completion queues to the end of its session.
        return List.of("ENDPOINT", "QUEUE_PAIR").stream()
                .mapToInt(kind -> loopback.faults().device("lo1").<Integer>call("open", kind))
                .sum();
    }

    private static void recurse() {
        recurse();
    }

    @Test
    public void C10_aComponentThatIsSlowToDeactivateIsNamedAndForced() throws Exception {
        configureCore(Map.of("removal.deadline.ms", 500, "service.deadline.ms", 100));
        loopback.plug("lo1", ADDRESS);
        CountDownLatch entered = latch();
        CountDownLatch release = latch();
        Bundle component = startComponent((moment, destroy) -> {
            if (moment.equals("deactivate")) {
                entered.countDown();
                await(release);
            }
        });
        Faults faults = loopback.faults();

        CompletableFuture<Void> unregistered = faults.pullOut("lo1").toCompletableFuture();

        awaitLogged("INFO device lo1 removed after \\d+ ms .*: 1 ids told, forced: component");
        assertThat(faults.open("lo1")).isZero();
        assertThat(unregistered).isNotDone();
        // Declarative Services gives up its own lock, and skips the rest of what it would do; core does not need it.
        component.stop();
        assertThat(snapshotOf("component")).isEmpty();
        release.countDown();
        unregistered.get(20, TimeUnit.SECONDS);
        awaitLogged("WARN consumers of device lo1 took \\d+ ms to deactivate, in component, longer than .*");
        // What Declarative Services says of its lock.
        forgetLog();
    }

    @Test
    public void C7_thousandsOfIdsAreRemovedAtOnce() throws Exception {
        int listeners = 3_000;
        int connections = 300;
        setDeadline(Duration.ofSeconds(30));
        loopback.plug("lo1", ADDRESS);
        Peer peer = startPeer("peer");
        int port = 0;
        for (int listener = 0; listener < listeners; listener++) {
            port = peer.listen(ADDRESS);
        }
        for (int connection = 0; connection < connections; connection++) {
            peer.establish(ADDRESS, ADDRESS, port);
        }
        eventually().until(() -> ended(peer, " ESTABLISHED").size() == 2 * connections);

        loopback.unplug("lo1");

        int ids = listeners + 2 * connections;
        eventually().until(() -> ended(peer, " DEVICE_REMOVAL").size() == ids);
        awaitLogged("INFO device lo1 removed after \\d+ ms .*: " + ids + " ids told, nobody forced");
        List<String> told = ended(peer, " DEVICE_REMOVAL");
        assertThat(told).doesNotHaveDuplicates().hasSize(ids);
        // The end of a connection's other side, which was told too, came after the mark.
        assertThat(ended(peer, " DISCONNECTED")).isEmpty();
        assertThat(told.stream().filter(entry -> entry.matches("listener \\d+ DEVICE_REMOVAL")))
                .hasSize(listeners);
        assertThat(loopback.faults().open("lo1")).isZero();
        assertThat(snapshot().ids()).isEmpty();
        assertThat(snapshot().listeners()).isEmpty();
    }

    private static List<String> ended(Peer peer, String event) {
        return peer.events().stream().filter(entry -> entry.endsWith(event)).toList();
    }

    @Test
    public void C14_twoRemovalsNestAndTheirConsumersDestroyEachOthersIds() throws Exception {
        setDeadline(Duration.ofSeconds(2));
        loopback.plug("lo1", ADDRESS);
        loopback.plug("lo2", OTHER_ADDRESS);
        Peer peer = startPeer("peer");
        Peer other = startPeer("other");
        peer.listen(ADDRESS);
        other.listen(OTHER_ADDRESS);
        CountDownLatch met = new CountDownLatch(2);
        CompletableFuture<Void> nested = new CompletableFuture<>();
        peer.inCallback("DEVICE_REMOVAL", () -> {
            CompletableFuture<Void> removal = loopback.faults().pullOut("lo2").toCompletableFuture();
            meet(met);
            other.destroy("listener 1");
            removal.join();
            nested.complete(null);
        });
        other.inCallback("DEVICE_REMOVAL", () -> {
            meet(met);
            peer.destroy("listener 1");
        });

        pullOut("lo1");

        nested.get(20, TimeUnit.SECONDS);
        assertThat(peer.events()).containsExactly("listener 1 DEVICE_REMOVAL");
        assertThat(other.events()).containsExactly("listener 1 DEVICE_REMOVAL");
        assertThat(loopback.faults().open("lo1", "lo2")).isZero();
        awaitLogged("INFO device lo1 removed after .*nobody forced");
        awaitLogged("INFO device lo2 removed after .*nobody forced");
        eventually().until(() -> snapshot().listeners().isEmpty());
    }

    private static void meet(CountDownLatch met) {
        met.countDown();
        await(met);
    }

    @Test
    public void C9_aDeviceWhoseProviderHangsIsAbandonedAndAllElseGoesOn() throws Exception {
        configureCore(Map.of("removal.deadline.ms", 500, "hung.limit.ms", 500));
        loopback.plug("lo1", ADDRESS);
        loopback.plug("lo2", OTHER_ADDRESS);
        Traffic onOne = new Traffic(context, ADDRESS, OTHER_ADDRESS);
        start("traffic");
        onOne.awaitFlow();
        Reflected hold = loopback.faults().hold("lo1", "POST_SEND");
        assertThat(hold.<Boolean>call("awaitArrival", Duration.ofSeconds(20))).isTrue();

        monitor().unplug("lo1").toCompletableFuture().get(20, TimeUnit.SECONDS);

        awaitLogged("(?s)ERROR device lo1 is abandoned: thread echo (client|server) does not come back from provider"
                + " loopback\n    at .*postSend.*");
        awaitLogged("INFO device lo1 abandoned after \\d+ ms .*");
        assertThat(snapshot().devices())
                .filteredOn(device -> device.name().equals("lo1"))
                .extracting(DeviceSnapshot::condition)
                .containsExactly(DeviceSnapshot.Condition.ABANDONED);
        onOne.awaitMore("conversations with " + OTHER_ADDRESS, 5);
        onOne.assertNoProblem();
        hold.call("release");
        onOne.awaitMore("interruptions", 1);
    }

    private Monitor monitor() {
        return context.getService(context.getServiceReference(Monitor.class));
    }

    private void pullOut(String device) {
        loopback.faults()
                .pullOut(device)
                .toCompletableFuture()
                .orTimeout(50, TimeUnit.SECONDS)
                .join();
    }

    private void awaitLogged(String pattern) {
        eventually().untilAsserted(() -> assertThat(logged(CORE))
                .anySatisfy(line -> assertThat(line).matches(pattern)));
    }

    private Peer startPeer(String bundle) throws Exception {
        start(bundle);
        return new Peer(context, bundle);
    }

    private Bundle startComponent(BiConsumer<String, Runnable> hook) throws Exception {
        CountDownLatch activated = latch();
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("hook", "component");
        BiConsumer<String, Runnable> recording = (moment, destroy) -> {
            hook.accept(moment, destroy);
            if (moment.equals("activate")) {
                activated.countDown();
            }
        };
        context.registerService(BiConsumer.class, recording, properties);
        Bundle component = start("component");
        await(activated);
        return component;
    }
}
