// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.verbena.rdma.itests.fixture.Loopback.Faults;
import org.verbena.rdma.itests.fixture.Peer;
import org.verbena.rdma.itests.fixture.Reflected;
import org.verbena.rdma.itests.fixture.Traffic;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** The unregistration of a device's service in a real registry: what is over when it returns, and when it returns. */
public class RemovalIT extends DeviceTestBase {
    private static final String PROVIDER = "org.verbena.rdma.provider-loopback";

    @Configuration
    public Option[] configuration() {
        return new Option[] {platform(), component("traffic", "traffic"), peer("peer")};
    }

    @Test
    public void C9_unregisteringReturnsWhenEverythingIsClosedUnderTraffic() throws Exception {
        Traffic traffic = new Traffic(context);
        loopback.plug("lo1", "198.18.0.1");
        start("traffic");
        Faults faults = loopback.faults();

        for (int round = 0; round < 10; round++) {
            traffic.awaitFlow();
            // Asked on the thread that unregisters, as soon as it is back.
            int open = faults.pullOut("lo1")
                    .thenApply(unregistered -> faults.open("lo1"))
                    .toCompletableFuture()
                    .join();
            assertThat(open).isZero();
            faults.device("lo1").call("putBack");
        }
        traffic.awaitFlow();
        traffic.assertNoProblem();
    }

    @Test
    public void C9_unregisteringReturnsOnlyWhenNoThreadIsInsideTheProvider() throws Exception {
        Traffic traffic = new Traffic(context);
        setDeadline(Duration.ofMillis(500));
        loopback.plug("lo1", "198.18.0.1");
        start("traffic");
        traffic.awaitFlow();
        Faults faults = loopback.faults();
        Reflected hold = faults.hold("lo1", "POST_SEND");
        assertThat(hold.<Boolean>call("awaitArrival", Duration.ofSeconds(20))).isTrue();

        CompletableFuture<Void> unregistered = faults.pullOut("lo1").toCompletableFuture();
        eventually().until(() -> snapshot().removals().stream()
                .anyMatch(removal -> removal.step() == RemovalSnapshot.Step.WAITING_FOR_PROVIDER));

        assertThat(unregistered).isNotDone();
        hold.call("release");
        unregistered.join();
        assertThat(faults.open("lo1")).isZero();
    }

    @Test
    public void C9_anIdWhoseCallbackRunsOutlivesItsDeviceAndIsToldWhenThatReturns() throws Exception {
        Duration deadline = Duration.ofSeconds(1);
        setDeadline(deadline);
        loopback.plug("lo1", "198.18.0.1");
        start("peer");
        Peer peer = new Peer(context, "peer");
        CountDownLatch entered = latch();
        CountDownLatch release = latch();
        peer.inCallback("client 2 ADDR_RESOLVED", () -> {
            entered.countDown();
            await(release);
        });
        int port = peer.listen("198.18.0.1");
        peer.connect("198.18.0.1", "198.18.0.1", port);
        await(entered);

        Duration taken = timed(
                () -> loopback.faults().pullOut("lo1").toCompletableFuture().join());

        assertThat(taken).isBetween(deadline, deadline.plusSeconds(8));
        assertThat(loopback.faults().open("lo1")).isZero();
        assertThat(peer.events()).containsExactlyInAnyOrder("client 2 ADDR_RESOLVED", "listener 1 DEVICE_REMOVAL");
        assertThat(snapshotOf("peer")).map(ConsumerSnapshot::forced).contains(1L);
        release.countDown();
        peer.await("client 2 DEVICE_REMOVAL");
    }

    @Test
    public void C10_aProviderWithSeveralDevicesStopsUnderOneDeadline() throws Exception {
        Duration deadline = Duration.ofSeconds(2);
        setDeadline(deadline);
        start("peer");
        Peer peer = new Peer(context, "peer");
        CountDownLatch release = latch();
        peer.inCallback("DEVICE_REMOVAL", () -> await(release));
        String[] devices = {"lo1", "lo2", "lo3", "lo4"};
        for (int number = 1; number <= devices.length; number++) {
            loopback.plug(devices[number - 1], "198.18.0." + number);
            peer.listen("198.18.0." + number);
        }
        Faults faults = loopback.faults();

        Duration taken = timed(() -> stop(PROVIDER));

        assertThat(taken).isBetween(deadline, deadline.multipliedBy(3));
        assertThat(faults.open(devices)).isZero();
        // Each of the four removals has had to force the same bundle.
        assertThat(snapshotOf("peer")).map(ConsumerSnapshot::forced).contains(4L);
        assertThat(logged("org.verbena.rdma.core"))
                .filteredOn(message -> message.endsWith("forced: peer"))
                .hasSize(4);
        start(PROVIDER);
    }

    @Test
    public void C7_eachIdOfTheDeviceIsToldOnceAndNoOther() throws Exception {
        loopback.plug("lo1", "198.18.0.1");
        loopback.plug("lo2", "198.18.0.2");
        start("peer");
        Peer peer = new Peer(context, "peer");
        int wildcard = peer.listen("0.0.0.0");
        int bound = peer.listen("198.18.0.1");
        peer.listen("198.18.0.2");
        peer.establish("198.18.0.1", "198.18.0.1", wildcard);
        peer.establish("198.18.0.2", "198.18.0.1", bound);
        eventually()
                .until(() -> peer.events().stream()
                                .filter(event -> event.endsWith(" ESTABLISHED"))
                                .count()
                        == 4);

        loopback.unplug("lo1");

        // One listener, one client, and a child of each listener that was called.
        eventually().until(() -> loopback.faults().open("lo1") == 0);
        assertThat(peer.events().stream().filter(event -> event.endsWith("DEVICE_REMOVAL")))
                .containsExactlyInAnyOrder(
                        "listener 2 DEVICE_REMOVAL",
                        "client 4 DEVICE_REMOVAL",
                        "child 5 DEVICE_REMOVAL",
                        "child 7 DEVICE_REMOVAL");
    }
}
