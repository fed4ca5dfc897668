// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.itests.DeviceTestBase.threads;
import static org.verbena.rdma.itests.FelixTestBase.thirdPartyJar;
import static org.verbena.rdma.itests.FelixTestBase.verbenaJar;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.nio.file.Path;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;
import org.verbena.rdma.itests.fixture.ConsumerBundles;
import org.verbena.rdma.itests.fixture.EmbeddedFramework;
import org.verbena.rdma.itests.fixture.Loopback;
import org.verbena.rdma.itests.fixture.Loopback.Faults;
import org.verbena.rdma.itests.fixture.Peer;
import org.verbena.rdma.itests.fixture.Services;
import org.verbena.rdma.itests.fixture.Traffic;

/** The framework stops while a client and a server are at work, in every order of the bundles. */
public class FrameworkStopIT {
    /** Logging and Declarative Services. */
    static final List<String> BASE = List.of(
            "pax-logging-api",
            "pax-logging-logback",
            "org.osgi.util.function",
            "org.osgi.util.promise",
            "org.osgi.service.component",
            "org.apache.felix.configadmin",
            "org.apache.felix.metatype",
            "org.apache.felix.scr");

    private static final String[] DEVICES = {"lo1", "lo2"};
    private static final long DEADLINE_MILLIS = 1_000;
    /** Many times what removals and sessions may take, on a machine that is busy. */
    private static final long BOUND_MILLIS = 30_000;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Rule
    public final Timeout limit = Timeout.seconds(90);

    private final CountDownLatch release = new CountDownLatch(1);
    private EmbeddedFramework framework;
    private Traffic traffic;
    private Faults faults;

    @Before
    public void startFramework() throws Exception {
        framework = new EmbeddedFramework(folder.getRoot().toPath());
        for (String bundle : BASE) {
            framework.start(1, thirdPartyJar(bundle));
        }
        framework.start(1, verbenaJar("api"));
        framework.start(1, verbenaJar("spi"));
        traffic = new Traffic(framework.context());
        Dictionary<String, Object> settings = new Hashtable<>();
        settings.put("removal.deadline.ms", DEADLINE_MILLIS);
        new Services(framework.context())
                .configurationAdmin()
                .follow("getConfiguration", "org.verbena.rdma.core", "?")
                .call("update", settings);
    }

    @After
    public void nothingIsLeft() throws Exception {
        // A callback that did not end has not kept the framework, but keeps its thread.
        release.countDown();
        framework.beginStop();
        framework.awaitStop(BOUND_MILLIS);
        eventually()
                .untilAsserted(() -> assertThat(threads("verbena-", "echo ")).isEmpty());
        assertThat(faults.open(DEVICES)).isZero();
        assertThat(faults.violations()).isEmpty();
        traffic.assertNoProblem();
    }

    @Test
    public void C14_theFrameworkStopsWithTheConsumersFirst() throws Exception {
        startPlatform(2, 3, 4);
        stopUnderTraffic();
    }

    @Test
    public void C14_theFrameworkStopsWithTheProviderFirst() throws Exception {
        startPlatform(2, 4, 3);
        stopUnderTraffic();
    }

    @Test
    public void C20_theFrameworkStopsWithCoreFirst() throws Exception {
        startPlatform(4, 2, 3);
        stopUnderTraffic();
    }

    @Test
    public void C14_theFrameworkStopsWhileACallbackDoesNotEnd() throws Exception {
        startPlatform(2, 4, 3);
        traffic.awaitFlow();
        Peer peer = startPeer(3);
        CountDownLatch entered = new CountDownLatch(1);
        peer.inCallback("ESTABLISHED", () -> {
            entered.countDown();
            waitForRelease();
        });
        peer.connect("198.18.0.1", "198.18.0.1", peer.listen("198.18.0.1"));
        entered.await();

        framework.beginStop();

        assertThat(framework.awaitStop(BOUND_MILLIS)).isTrue();
    }

    @Test
    public void C14_aCallbackStopsTheFrameworkAndDoesNotEnd() throws Exception {
        startPlatform(2, 3, 4);
        traffic.awaitFlow();
        Peer peer = startPeer(4);
        CountDownLatch begun = new CountDownLatch(1);
        peer.inCallback("ESTABLISHED", () -> {
            framework.beginStop();
            begun.countDown();
            waitForRelease();
        });

        peer.connect("198.18.0.1", "198.18.0.1", peer.listen("198.18.0.1"));

        begun.await();
        assertThat(framework.awaitStop(BOUND_MILLIS)).isTrue();
    }

    private void startPlatform(int core, int provider, int consumers) throws Exception {
        framework.start(core, verbenaJar("core"));
        framework.start(provider, verbenaJar("provider-loopback"));
        Loopback loopback = new Loopback(framework.context());
        faults = loopback.faults();
        loopback.plug("lo1", "198.18.0.1");
        loopback.plug("lo2", "198.18.0.2");
        framework.start(consumers, ConsumerBundles.build("traffic", "traffic", Map.of()));
    }

    private Peer startPeer(int startLevel) throws Exception {
        Path peer = ConsumerBundles.build(
                "peer", "peer", Map.of("Bundle-Activator", "org.verbena.rdma.itests.consumers.peer.PeerActivator"));
        framework.start(startLevel, peer);
        return new Peer(framework.context(), "peer");
    }

    private void stopUnderTraffic() throws Exception {
        traffic.awaitFlow();

        framework.beginStop();

        assertThat(framework.awaitStop(BOUND_MILLIS)).isTrue();
    }

    private void waitForRelease() {
        try {
            release.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
