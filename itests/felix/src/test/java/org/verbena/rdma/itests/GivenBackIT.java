// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.BundleException;
import org.verbena.rdma.itests.fixture.Peer;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** A consumer that follows devices with a service tracker and so gives each back at the very start of its removal. */
public class GivenBackIT extends DeviceTestBase {
    private Function<List<String>, String> reader;

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            platform(),
            peer("peer"),
            consumer("reader", "reader", Map.of("Bundle-Activator", "org.verbena.rdma.itests.consumers.reader.Reader"))
        };
    }

    @Before
    @SuppressWarnings("unchecked")
    public void connect() throws BundleException {
        loopback.plug("lo1", "198.18.0.1");
        start("reader");
        // Followed by nobody else: the peer's end stays when the reader's device goes.
        loopback.plug("lo2", "198.18.0.2");
        start("peer");
        int port = new Peer(context, "peer").listen("198.18.0.2");
        reader = (Function<List<String>, String>) services.get(Function.class.getName(), "(reader=reader)");
        reader.apply(List.of("connect", "198.18.0.1", "198.18.0.2", "" + port));
        eventually().until(() -> reader.apply(List.of("events")).contains("ESTABLISHED"));
    }

    @Test
    public void C10_whatIsFlushedCanBeReadThoughTheDeviceWasGivenBack() throws Exception {
        setDeadline(Duration.ofMillis(500));

        loopback.unplug("lo1");

        eventually().until(() -> loopback.faults().open("lo1") == 0);
        assertThat(reader.apply(List.of("events"))).endsWith("ESTABLISHED, DEVICE_REMOVAL]");
        assertThat(reader.apply(List.of("poll"))).isEqualTo("[1, 2, 3]");
        assertThat(reader.apply(List.of("poll"))).contains("DeviceRemovedException");
        assertThat(logged("org.verbena.rdma.core"))
                .anyMatch(message -> message.contains("device lo1 removed") && message.endsWith("forced: reader"));
    }

    @Test
    public void C12_aBundleThatStopsDuringTheRemovalLosesAllAtOnce() throws Exception {
        setDeadline(Duration.ofSeconds(50));
        CompletableFuture<?> unregistered = inBackground(() -> loopback.unplug("lo1"));
        eventually().until(() -> reader.apply(List.of("events")).contains("DEVICE_REMOVAL"));
        assertThat(reader.apply(List.of("region"))).isEqualTo("open");
        assertThat(snapshot().removals())
                .extracting(RemovalSnapshot::step)
                .containsExactly(RemovalSnapshot.Step.WAITING_FOR_CONSUMERS);

        stop("reader");

        assertThat(reader.apply(List.of("region"))).isEqualTo("gone");
        unregistered.join();
        // The device's service goes first, what is open on it afterwards.
        eventually().until(() -> loopback.faults().open("lo1") == 0);
    }
}
