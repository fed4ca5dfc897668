// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.ServiceReference;
import org.osgi.service.metatype.AttributeDefinition;
import org.osgi.service.metatype.MetaTypeInformation;
import org.osgi.service.metatype.MetaTypeService;
import org.osgi.service.metatype.ObjectClassDefinition;
import org.verbena.rdma.itests.fixture.Peer;
import org.verbena.rdma.itests.fixture.Services;

/** Core and providers are configured through Config Admin; what can be set is described by metatype. */
public class ConfigurationIT extends DeviceTestBase {
    private static final String CONFIG_ADMIN = "org.apache.felix.configadmin";
    private static final String ADDRESS = "198.18.0.1";

    @Configuration
    public Option[] configuration() {
        return new Option[] {platform(), providerIwarp(), peer("peer")};
    }

    @Test
    public void aNewDeadlineHoldsForTheNextRemovalWithoutARestart() throws Exception {
        ServiceReference<?> connectionManager =
                services.all(Services.CONNECTION_MANAGER, null).get(0);
        loopback.plug("lo1", ADDRESS);

        setDeadline(Duration.ofSeconds(50));
        Duration deadline = Duration.ofMillis(500);
        setDeadline(deadline);

        assertThat(removalWithABlockedCallback()).isBetween(deadline, Duration.ofSeconds(25));
        assertThat(services.all(Services.CONNECTION_MANAGER, null)).containsExactly(connectionManager);
    }

    @Test
    public void aBadValueIsRefusedByItsKeyAndChangesNothing() throws Exception {
        Duration deadline = Duration.ofSeconds(5);
        setDeadline(deadline);
        loopback.plug("lo1", ADDRESS);

        for (Object bad : new Object[] {"soon", "", -1, 0L, "9999999999999999999"}) {
            configureCore(Map.of("removal.deadline.ms", bad));
        }
        configureCore(Map.of("removal.deadline.ms", 1, "blocked.callbacks", 0));

        eventually().untilAsserted(() -> assertThat(refusals())
                .filteredOn(message -> message.contains("removal.deadline.ms"))
                .hasSize(5));
        eventually().untilAsserted(() -> assertThat(refusals())
                .filteredOn(message -> message.contains("blocked.callbacks"))
                .hasSize(1));
        assertThat(removalWithABlockedCallback()).isGreaterThanOrEqualTo(deadline);
    }

    @Test
    public void aBadDeviceIsRefusedByItsKeyAndTheOthersStay() {
        loopback.plug("lo1", ADDRESS);

        loopback.configure("lo2", 0, "10.0.0.1");
        loopback.configure("lo3", 0, "localhost");
        loopback.plug("lo4", "198.18.0.4");

        eventually().untilAsserted(() -> assertThat(refusals())
                .filteredOn(message -> message.contains("addresses"))
                .hasSize(2));
        assertThat(services.devices("lo1")).hasSize(1);
        assertThat(services.devices("lo2")).isEmpty();
        assertThat(services.devices("lo3")).isEmpty();
    }

    @Test
    public void metatypeDescribesCoreAndTheProviders() {
        assertThat(describedBy("org.verbena.rdma.core").getPids()).containsExactly("org.verbena.rdma.core");
        assertThat(attributes("org.verbena.rdma.core", "org.verbena.rdma.core"))
                .containsExactlyInAnyOrder(
                        "removal.deadline.ms=3000",
                        "service.deadline.ms=1000",
                        "hung.limit.ms=10000",
                        "blocked.callbacks=16",
                        "blocked.after.ms=2000",
                        "listen.retry.ms=1000");
        for (String provider : new String[] {"loopback", "iwarp"}) {
            String bundle = "org.verbena.rdma.provider-" + provider;
            String pid = "org.verbena.rdma.provider." + provider;
            assertThat(describedBy(bundle).getFactoryPids()).containsExactly(pid);
            assertThat(attributes(bundle, pid)).anyMatch(attribute -> attribute.startsWith("addresses"));
        }
    }

    private Duration removalWithABlockedCallback() throws Exception {
        start("peer");
        Peer peer = new Peer(context, "peer");
        CountDownLatch release = latch();
        peer.inCallback("DEVICE_REMOVAL", () -> await(release));
        peer.listen(ADDRESS);
        return timed(
                () -> loopback.faults().pullOut("lo1").toCompletableFuture().join());
    }

    private List<String> refusals() {
        return logged(CONFIG_ADMIN).stream()
                .filter(message -> message.startsWith("ERROR"))
                .toList();
    }

    private MetaTypeInformation describedBy(String bundle) {
        return context.getService(context.getServiceReference(MetaTypeService.class))
                .getMetaTypeInformation(bundleNamed(bundle));
    }

    private List<String> attributes(String bundle, String pid) {
        ObjectClassDefinition definition = describedBy(bundle).getObjectClassDefinition(pid, null);
        return Arrays.stream(definition.getAttributeDefinitions(ObjectClassDefinition.ALL))
                .peek(attribute -> assertThat(attribute.getDescription()).isNotBlank())
                .map(ConfigurationIT::withDefault)
                .toList();
    }

    private static String withDefault(AttributeDefinition attribute) {
        String[] otherwise = attribute.getDefaultValue();
        return otherwise == null ? attribute.getID() : attribute.getID() + "=" + String.join(",", otherwise);
    }
}
