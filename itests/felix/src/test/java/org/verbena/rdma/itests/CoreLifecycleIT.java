// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.io.InputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;
import org.verbena.rdma.itests.fixture.Peer;
import org.verbena.rdma.itests.fixture.Traffic;

/** Core stops, starts and is updated while a client and a server are at work. */
public class CoreLifecycleIT extends DeviceTestBase {
    private static final String CORE = "org.verbena.rdma.core";
    private static final String PROVIDER_DEVICE = "org.verbena.rdma.spi.ProviderDevice";

    @Configuration
    public Option[] configuration() {
        return new Option[] {platform(), component("traffic", "traffic"), peer("peer")};
    }

    @Test
    public void C20_theDevicesServeAgainWhenCoreIsBackWithoutTheirProvidersRestart() throws Exception {
        Traffic traffic = startTraffic();
        List<ServiceReference<?>> provided = services.all(PROVIDER_DEVICE, null);
        assertThat(provided).hasSize(2);

        for (int round = 0; round < 5; round++) {
            stop(CORE);
            assertThat(loopback.faults().open("lo1", "lo2")).isZero();
            assertThat(services.all(PROVIDER_DEVICE, null)).isEqualTo(provided);
            assertThat(services.all("org.verbena.rdma.RdmaDevice", null)).isEmpty();

            start(CORE);
            services.awaitDevice("lo1");
            services.awaitDevice("lo2");
            traffic.awaitFlow();
        }
        traffic.assertNoProblem();
    }

    @Test
    public void C20_coreIsUpdatedUnderTraffic() throws Exception {
        Traffic traffic = startTraffic();
        List<ServiceReference<?>> provided = services.all(PROVIDER_DEVICE, null);
        Bundle core = bundleNamed(CORE);

        try (InputStream jar = Files.newInputStream(verbenaJar("core"))) {
            core.update(jar);
        }
        refresh(core);

        traffic.awaitFlow();
        assertThat(services.all(PROVIDER_DEVICE, null)).isEqualTo(provided);
        traffic.assertNoProblem();
        stop("traffic");
        // Each device is open once, and nothing is left of what was there before the update.
        eventually().until(() -> loopback.faults().open("lo1", "lo2") == 2);
    }

    @Test
    public void C20_stoppingCoreRemovesAllDevicesUnderOneDeadlineAndStopsItsThreads() throws Exception {
        Duration deadline = Duration.ofSeconds(2);
        setDeadline(deadline);
        String[] devices = {"lo1", "lo2", "lo3"};
        start("peer");
        Peer peer = new Peer(context, "peer");
        CountDownLatch release = latch();
        peer.inCallback("DEVICE_REMOVAL", () -> await(release));
        for (int number = 1; number <= devices.length; number++) {
            loopback.plug(devices[number - 1], "198.18.0." + number);
            peer.listen("198.18.0." + number);
        }

        Duration taken = timed(() -> stop(CORE));

        // One deadline for the devices, and one for the session whose callbacks still run.
        assertThat(taken).isBetween(deadline, deadline.multipliedBy(2).plusSeconds(1));
        assertThat(loopback.faults().open(devices)).isZero();
        assertThat(peer.events())
                .containsExactlyInAnyOrder(
                        "listener 1 DEVICE_REMOVAL", "listener 2 DEVICE_REMOVAL", "listener 3 DEVICE_REMOVAL");
        release.countDown();
        eventually().until(() -> threads("verbena-c", "verbena-timer").isEmpty());
    }

    private Traffic startTraffic() throws Exception {
        Traffic traffic = new Traffic(context);
        loopback.plug("lo1", "198.18.0.1");
        loopback.plug("lo2", "198.18.0.2");
        start("traffic");
        traffic.awaitFlow();
        return traffic;
    }
}
