// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.ops4j.pax.exam.CoreOptions.composite;

import java.util.Arrays;
import java.util.Dictionary;
import java.util.Hashtable;
import javax.inject.Inject;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.ConfigurationAdmin;

/** The loopback provider in a framework: a device for each configuration, none without. Core is not there. */
public class LoopbackProviderIT extends FelixTestBase {
    private static final String DEVICE = "org.verbena.rdma.spi.ProviderDevice";
    private static final String PID = "org.verbena.rdma.provider.loopback";

    @Inject
    private ConfigurationAdmin configurations;

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            framework(), logging(), declarativeServices(), composite(verbena("api"), verbena("spi"), providerLoopback())
        };
    }

    @Test
    public void devicesFollowConfigurations() throws Exception {
        assertThat(devices()).isZero();

        org.osgi.service.cm.Configuration configuration = configurations.getFactoryConfiguration(PID, "lo0", "?");
        configuration.update(addresses("198.18.0.1"));
        await().until(() -> devices() == 1);
        ServiceReference<?> reference = context.getServiceReference(DEVICE);
        assertThat(reference.getProperty("rdma.name")).isEqualTo("lo0");

        configuration.update(addresses("198.18.0.1", "100::1"));
        configurations.getFactoryConfiguration(PID, "lo1", "?").update(addresses("127.0.0.1"));
        configurations.getFactoryConfiguration(PID, "lo2", "?").update(addresses("198.18.0.2"));
        await().until(() -> devices() == 2);
        assertThat(reference.getBundle())
                .as("the same device with other addresses")
                .isNotNull();

        configuration.delete();
        await().until(() -> devices() == 1);
        assertThat(reference.getBundle()).isNull();
    }

    @Test
    public void devicesAreGoneWhenTheBundleStops() throws Exception {
        configurations.getFactoryConfiguration(PID, "lo0", "?").update(addresses("198.18.0.1"));
        await().until(() -> devices() == 1);

        bundle().stop();
        assertThat(devices()).isZero();

        bundle().start();
        await().until(() -> devices() == 1);
    }

    private Bundle bundle() {
        return Arrays.stream(context.getBundles())
                .filter(bundle -> symbolicName("provider-loopback").equals(bundle.getSymbolicName()))
                .findFirst()
                .orElseThrow();
    }

    private int devices() throws InvalidSyntaxException {
        ServiceReference<?>[] references = context.getAllServiceReferences(DEVICE, null);
        return references == null ? 0 : references.length;
    }

    private static Dictionary<String, Object> addresses(String... addresses) {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("addresses", addresses);
        return properties;
    }
}
