// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.ServiceReference;

/** Files in a folder etc make, change and remove devices live, in any framework that has Felix' File Install. */
public class FilesInEtcIT extends DeviceTestBase {
    private static final String ONE = "org.verbena.rdma.provider.loopback-one.cfg";
    private static final String WIRE = "org.verbena.rdma.provider.iwarp-wire.cfg";
    private static final String CORE = "org.verbena.rdma.core.cfg";

    @Configuration
    public Option[] configuration() throws IOException {
        Path folder = Files.createTempDirectory(
                Files.createDirectories(Path.of(System.getProperty("verbena.thirdparty"), "..", "etc")), "test");
        return new Option[] {platform(), providerIwarp(), filesIn(Files.createDirectories(folder.resolve("etc")))};
    }

    /** A whole file at once, as editors write it. */
    private void write(String file, String content) throws IOException {
        Path etc = Path.of(context.getProperty("felix.fileinstall.dir"));
        Path draft = etc.resolveSibling("draft");
        Files.writeString(draft, content);
        Files.move(draft, etc.resolve(file), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void delete(String file) throws IOException {
        Files.delete(Path.of(context.getProperty("felix.fileinstall.dir")).resolve(file));
    }

    @Test
    public void aFileMakesChangesAndRemovesADevice() throws Exception {
        write(ONE, "addresses = 198.18.0.1\n");
        ServiceReference<?> first = services.awaitDevice("one");

        write(ONE, "addresses = 198.18.0.1, 198.18.0.7\n");
        eventually().until(() -> ((String[]) first.getProperty("rdma.addresses")), addresses -> addresses.length == 2);
        assertThat(services.devices("one")).as("addresses apply live").containsExactly(first);

        write(ONE, "addresses = 198.18.0.1\nmax.segments = 4\n");
        eventually().until(() -> services.devices("one"), found -> found.size() == 1 && !found.contains(first));

        delete(ONE);
        services.awaitNoDevice("one");
    }

    @Test
    public void aFileTakesThePlaceOfTheDeviceThatThereIsWithoutAny() throws Exception {
        services.awaitDevice("iwarp-lo");

        write(WIRE, "name = wire\ninterface = lo\n");
        services.awaitDevice("wire");
        services.awaitNoDevice("iwarp-lo");

        delete(WIRE);
        services.awaitDevice("iwarp-lo");
        services.awaitNoDevice("wire");
    }

    @Test
    public void aBadValueIsNamedAndTheDevicesStay() throws Exception {
        write(ONE, "addresses = 198.18.0.1\n");
        ServiceReference<?> device = services.awaitDevice("one");

        write(CORE, "removal.deadline.ms = soon\n");

        eventually().untilAsserted(() -> assertThat(logged("org.apache.felix.configadmin"))
                .anyMatch(message -> message.startsWith("ERROR") && message.contains("removal.deadline.ms")));
        assertThat(services.devices("one")).containsExactly(device);
    }
}
