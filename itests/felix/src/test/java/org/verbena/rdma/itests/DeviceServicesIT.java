// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.itests.fixture.Services.CONNECTION_MANAGER;
import static org.verbena.rdma.itests.fixture.Services.RDMA_DEVICE;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;

/** The services that core registers, and their properties. */
public class DeviceServicesIT extends DeviceTestBase {

    @Configuration
    public Option[] configuration() {
        return new Option[] {platform()};
    }

    @Test
    public void connectionManagerAndMonitorAreThereWithoutAnyDevice() {
        assertThat(services.all(RDMA_DEVICE, null)).isEmpty();

        assertThat(services.all(CONNECTION_MANAGER, null)).singleElement().satisfies(reference -> assertThat(
                        reference.getProperty(Constants.SERVICE_SCOPE))
                .isEqualTo(Constants.SCOPE_PROTOTYPE));
        assertThat(services.all("org.verbena.rdma.monitor.Monitor", null)).hasSize(1);
    }

    @Test
    public void aDeviceSaysWhatItIs() {
        loopback.plug("lo1", "198.18.0.1", "100::1");

        ServiceReference<?> device = services.devices("lo1").get(0);
        assertThat(device.getProperty("rdma.provider")).isEqualTo("loopback");
        assertThat(device.getProperty("rdma.transport")).isEqualTo("loopback");
        assertThat(device.getProperty("rdma.guid")).asString().matches("[0-9a-f]{16}");
        assertThat(device.getProperty("rdma.addresses")).isEqualTo(new String[] {"198.18.0.1", "100:0:0:0:0:0:0:1"});
        assertThat(device.getProperty("rdma.link")).isEqualTo("up");
        assertThat(device.getProperty("rdma.shadowed")).isNull();
        assertThat(device.getProperty(Constants.SERVICE_SCOPE)).isEqualTo(Constants.SCOPE_PROTOTYPE);
        assertThat(device.getBundle().getSymbolicName()).isEqualTo("org.verbena.rdma.core");
    }

    @Test
    public void theServiceGoesWithTheDevice() {
        loopback.plug("lo1", "198.18.0.1");

        loopback.unplug("lo1");

        eventually().until(() -> loopback.faults().open("lo1") == 0);
        loopback.plug("lo1", "198.18.0.1");
    }

    @Test
    public void addressesFollowTheDevice() {
        loopback.plug("lo1", "198.18.0.1");
        ServiceReference<?> device = services.devices("lo1").get(0);

        loopback.faults().changeAddresses("lo1", "198.18.0.1", "198.18.0.9");

        eventually().untilAsserted(() -> assertThat(device.getProperty("rdma.addresses"))
                .isEqualTo(new String[] {"198.18.0.1", "198.18.0.9"}));
        assertThat(services.devices("lo1")).containsExactly(device);
    }

    @Test
    public void interfaceDownIsLinkStateAndNoRemoval() {
        loopback.plug("lo1", "198.18.0.1");
        ServiceReference<?> device = services.devices("lo1").get(0);

        loopback.faults().device("lo1").call("changeLink", "DOWN");

        eventually().until(() -> "down".equals(device.getProperty("rdma.link")));
        loopback.faults().device("lo1").call("changeLink", "UP");
        eventually().until(() -> "up".equals(device.getProperty("rdma.link")));
        assertThat(services.devices("lo1")).containsExactly(device);
    }
}
