// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.util.Map;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.BundleException;
import org.verbena.rdma.itests.fixture.Peer;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.Monitor;

/** Consumers built against different versions of the cm package, next to each other. */
public class ConsumerVersionsIT extends DeviceTestBase {
    private static final String ADDRESS = "198.18.0.1";

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            platform(),
            peer("older", "[1.0,2)"),
            peer("newer", "[1.1,2)"),
            consumer(
                    "dynamic",
                    "peer",
                    Map.of(
                            "Bundle-Activator", "org.verbena.rdma.itests.consumers.peer.PeerActivator",
                            "Import-Package", "!org.verbena.rdma.cm,*",
                            "DynamicImport-Package", "org.verbena.rdma.cm"))
        };
    }

    @Test
    public void C15_anOlderConsumerIsNotShownTheNewerEventAndANewerOneIs() throws BundleException {
        loopback.plug("lo1", ADDRESS);
        Peer newer = established("newer");
        Peer older = established("older");
        Peer dynamic = established("dynamic");

        loopback.faults().device("lo1").call("changeNetwork");
        newer.await("listener 1 ADDR_CHANGE");
        newer.await("client 2 ADDR_CHANGE");
        newer.await("child 3 ADDR_CHANGE");
        // Whatever the change has brought comes before the removal, to each of them.
        loopback.unplug("lo1");

        for (Peer told : new Peer[] {newer, older, dynamic}) {
            told.await("client 2 DEVICE_REMOVAL");
        }
        assertThat(older.events()).noneMatch(event -> event.endsWith("ADDR_CHANGE"));
        assertThat(dynamic.events()).noneMatch(event -> event.endsWith("ADDR_CHANGE"));
        assertThat(newer.events())
                .containsOnlyOnce("listener 1 ADDR_CHANGE", "client 2 ADDR_CHANGE", "child 3 ADDR_CHANGE");
    }

    @Test
    public void C15_aConsumerWithoutAReadableRangeCountsAsTheOldestAndIsLoggedOnceByName() throws BundleException {
        start("older");
        start("newer");
        start("dynamic");
        stop("dynamic");
        start("dynamic");

        assertThat(cmVersion("older")).isEqualTo("1.0");
        assertThat(cmVersion("newer")).isEqualTo("1.1");
        assertThat(cmVersion("dynamic")).isEqualTo("1.0");
        eventually().untilAsserted(() -> assertThat(logged("org.verbena.rdma.core"))
                .filteredOn(message -> message.contains("no readable import range"))
                .singleElement()
                .asString()
                .contains("bundle dynamic "));
    }

    /** A peer with a listener, and a connection to it: child 3 of listener 1, and client 2. */
    private Peer established(String bundle) throws BundleException {
        start(bundle);
        Peer peer = new Peer(context, bundle);
        int port = peer.listen(ADDRESS);
        peer.connect(ADDRESS, ADDRESS, port);
        peer.await("client 2 ESTABLISHED");
        peer.await("child 3 ESTABLISHED");
        return peer;
    }

    private String cmVersion(String bundle) {
        Monitor monitor = context.getService(context.getServiceReference(Monitor.class));
        return monitor.snapshot().consumers().stream()
                .filter(consumer -> consumer.bundle().equals(bundle))
                .map(ConsumerSnapshot::cmVersion)
                .findFirst()
                .orElseThrow();
    }
}
