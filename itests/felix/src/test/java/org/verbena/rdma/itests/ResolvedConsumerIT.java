// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.Test;
import org.osgi.resource.Wire;
import org.osgi.service.resolver.ResolutionException;
import org.verbena.rdma.itests.fixture.ConsumerBundles;
import org.verbena.rdma.itests.fixture.Resolution;

/** Consumers and providers as their users' tools see them: by requirements and capabilities, without a framework. */
public class ResolvedConsumerIT {
    private static final String SERVICE = "osgi.service";

    @Test
    public void aConsumerBuiltByBndResolvesAgainstTheServicesOfCore() throws Exception {
        Resolution resolution = new Resolution(
                ConsumerBundles.build("complete", "complete", Map.of()), repository("api", "spi", "core"));
        assertThat(resolution.wanted().getRequirements(SERVICE)).hasSize(3);

        List<Wire> wires = resolution.resolve().get(resolution.wanted());

        assertThat(wires)
                .filteredOn(wire -> wire.getRequirement().getNamespace().equals(SERVICE))
                .extracting(wire -> wire.getProvider()
                        .getCapabilities("osgi.identity")
                        .get(0)
                        .getAttributes()
                        .get("osgi.identity"))
                .containsExactly("org.verbena.rdma.core", "org.verbena.rdma.core", "org.verbena.rdma.core");
    }

    @Test
    public void withoutCoreItDoesNot() throws Exception {
        Resolution resolution =
                new Resolution(ConsumerBundles.build("complete", "complete", Map.of()), repository("api", "spi"));

        assertThatThrownBy(resolution::resolve)
                .isInstanceOf(ResolutionException.class)
                .hasMessageContaining("osgi.service;effective:=active;filter:='(objectClass=org.verbena.rdma.");
    }

    @Test
    public void aBundleCanRequireAProviderByItsType() throws Exception {
        for (String type : new String[] {"loopback", "iwarp"}) {
            Resolution resolution = new Resolution(
                    ConsumerBundles.build(
                            "needs-" + type,
                            "complete",
                            Map.of("Require-Capability", "rdma.provider;filter:=\"(type=" + type + ")\"")),
                    repository("api", "spi", "core", "provider-loopback", "provider-iwarp"));

            assertThat(resolution.resolve().get(resolution.wanted()))
                    .filteredOn(wire -> wire.getRequirement().getNamespace().equals("rdma.provider"))
                    .hasSize(1);
        }
    }

    /** Some bundles of this reactor, the framework, and all of third parties. */
    private static List<Path> repository(String... folders) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String folder : folders) {
            jars.add(FelixTestBase.verbenaJar(folder));
        }
        try (Stream<Path> thirdParties = Files.list(Path.of(System.getProperty("verbena.thirdparty")))) {
            thirdParties.forEach(jars::add);
        }
        Stream.of(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                .filter(entry -> entry.contains("framework-7") || entry.contains("org.eclipse.osgi-"))
                .map(Path::of)
                .forEach(jars::add);
        return jars;
    }
}
