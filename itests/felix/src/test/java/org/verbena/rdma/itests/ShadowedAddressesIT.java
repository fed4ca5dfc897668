// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.BundleException;
import org.verbena.rdma.itests.fixture.ConsumerBundles;
import org.verbena.rdma.itests.fixture.Loopback;
import org.verbena.rdma.itests.fixture.Peer;

/** Two providers with one address: which of their devices serves it. */
public class ShadowedAddressesIT extends DeviceTestBase {
    private static final String ADDRESS = "198.18.0.1";
    private static final String OTHER_PROVIDER = "other-provider";

    private Loopback one;
    private Loopback other;

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            platform(),
            bundle(ConsumerBundles.copy(verbenaJar("provider-loopback"), OTHER_PROVIDER)
                    .toUri()
                    .toString()),
            peer("server")
        };
    }

    @Before
    public void findProviders() {
        one = new Loopback(
                context, bundleNamed("org.verbena.rdma.provider-loopback").getLocation());
        other = new Loopback(context, bundleNamed(OTHER_PROVIDER).getLocation());
    }

    @Test
    public void theHigherRankingServesAndTheOtherShowsItself() {
        one.configure("low", 0, ADDRESS, "198.18.0.2");
        services.awaitDevice("low");
        assertThat(shadowed("low")).isEmpty();

        other.configure("high", 10, ADDRESS);

        services.awaitDevice("high");
        eventually().untilAsserted(() -> assertThat(shadowed("low")).containsExactly(ADDRESS));
        assertThat(shadowed("high")).isEmpty();
    }

    @Test
    public void theLowerServiceIdServesAmongEquals() {
        one.configure("first", 0, ADDRESS);
        services.awaitDevice("first");
        other.configure("second", 0, ADDRESS);
        services.awaitDevice("second");

        eventually().untilAsserted(() -> assertThat(shadowed("second")).containsExactly(ADDRESS));
        assertThat(shadowed("first")).isEmpty();
    }

    @Test
    public void theShadowedOneServesWhenTheOtherProviderStops() throws BundleException {
        one.configure("low", 0, ADDRESS);
        other.configure("high", 10, ADDRESS);
        services.awaitDevice("high");
        services.awaitDevice("low");
        eventually().until(() -> shadowed("low").length == 1);

        bundleNamed(OTHER_PROVIDER).stop();

        services.awaitNoDevice("high");
        eventually().untilAsserted(() -> assertThat(shadowed("low")).isEmpty());
    }

    @Test
    public void aListenerMovesToTheDeviceThatServesTheAddress() throws BundleException {
        start("server");
        Peer server = new Peer(context, "server");
        one.configure("low", 0, ADDRESS);
        services.awaitDevice("low");
        int port = server.listen("0.0.0.0");
        server.establish(ADDRESS, ADDRESS, port);
        other.configure("high", 10, ADDRESS);
        services.awaitDevice("high");

        // Within one provider's network nobody can come from the other's device.
        eventually().ignoreExceptions().untilAsserted(() -> server.establish(ADDRESS, ADDRESS, port));

        bundleNamed(OTHER_PROVIDER).stop();
        services.awaitNoDevice("high");
        eventually().ignoreExceptions().untilAsserted(() -> server.establish(ADDRESS, ADDRESS, port));
        assertThat(server.events()).noneMatch(event -> event.startsWith("listener"));
    }

    private String[] shadowed(String device) {
        Object addresses = services.devices(device).get(0).getProperty("rdma.shadowed");
        return addresses == null ? new String[0] : (String[]) addresses;
    }
}
