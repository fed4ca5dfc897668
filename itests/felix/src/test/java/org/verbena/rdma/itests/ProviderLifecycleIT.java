// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;
import org.verbena.rdma.itests.fixture.Loopback.Faults;
import org.verbena.rdma.itests.fixture.Services;
import org.verbena.rdma.itests.fixture.Traffic;

/** The provider's bundle comes, goes and comes back in another shape, while a client and a server are at work. */
public class ProviderLifecycleIT extends DeviceTestBase {
    private static final String PROVIDER = "org.verbena.rdma.provider-loopback";

    private Traffic traffic;
    private Faults faults;
    private ServiceReference<?> connectionManager;
    private int starts = 1;

    @Configuration
    public Option[] configuration() {
        return new Option[] {platform(), component("traffic", "traffic")};
    }

    @Before
    public void startTraffic() throws Exception {
        traffic = new Traffic(context);
        faults = loopback.faults();
        loopback.plug("lo1", "198.18.0.1");
        start("traffic");
        traffic.awaitFlow();
        connectionManager = services.all(Services.CONNECTION_MANAGER, null).get(0);
    }

    @After
    public void trafficFlowsAsIfNothingHadBeen() {
        traffic.awaitFlow();
        traffic.assertNoProblem();
        // Neither core nor the consumers were restarted.
        assertThat(services.all(Services.CONNECTION_MANAGER, null)).containsExactly(connectionManager);
        assertThat(traffic.count("listening")).isEqualTo(starts);
    }

    @Test
    public void C11_theSameListenerServesAgainWhenTheProviderIsBack() throws Exception {
        for (int round = 0; round < 5; round++) {
            stop(PROVIDER);
            assertThat(faults.open("lo1")).isZero();
            assertThat(faults.violations()).isEmpty();

            start(PROVIDER);
            faults = loopback.faults();
            traffic.awaitFlow();
        }
    }

    @Test
    public void aProviderIsUpdatedUnderTraffic() throws Exception {
        Bundle provider = bundleNamed(PROVIDER);

        try (InputStream jar = Files.newInputStream(verbenaJar("provider-loopback"))) {
            provider.update(jar);
        }
        refresh(provider);

        assertThat(faults.open("lo1")).isZero();
        assertThat(faults.violations()).isEmpty();
    }

    @Test
    public void aProviderIsUninstalledAndInstalledUnderTraffic() throws Exception {
        Bundle provider = bundleNamed(PROVIDER);

        provider.uninstall();
        refresh(provider);
        assertThat(faults.open("lo1")).isZero();
        assertThat(faults.violations()).isEmpty();
        assertThat(services.devices("lo1")).isEmpty();

        context.installBundle(verbenaJar("provider-loopback").toUri().toString())
                .start();
    }

    @Test
    public void aProviderThatComesLaterIsFoundByWhoWasThereBefore() throws Exception {
        stop(PROVIDER);
        stop("traffic");
        start("traffic");
        starts = 2;
        Services.eventually().until(() -> traffic.count("listening") == starts);
        assertThat(services.devices("lo1")).isEmpty();

        start(PROVIDER);
        traffic.awaitFlow();
    }
}
