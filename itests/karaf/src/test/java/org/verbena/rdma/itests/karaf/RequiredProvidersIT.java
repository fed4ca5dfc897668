package org.verbena.rdma.itests.karaf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Features of third parties whose bundles require some provider, or a certain one. */
@NeedsKaraf
class RequiredProvidersIT {
    private static final String LOOPBACK = "org.verbena.rdma.provider-loopback";
    private static final String IWARP = "org.verbena.rdma.provider-iwarp";

    private static Karaf karaf;

    @BeforeAll
    static void start() throws Exception {
        karaf = Karaf.unpack("required").start();
        karaf.installKar();
        Path any = TestBundles.build("consumers.any", Map.of());
        Path iwarp = TestBundles.build("consumers.iwarp", Map.of());
        Path features = any.resolveSibling("features.xml");
        Files.writeString(features, """
                <features name="test" xmlns="http://karaf.apache.org/xmlns/features/v1.6.0">
                  <feature name="needs-any" version="1">
                    <feature>verbena</feature>
                    <feature dependency="true">verbena-provider-loopback</feature>
                    <feature dependency="true">verbena-provider-iwarp</feature>
                    <bundle>%s</bundle>
                  </feature>
                  <feature name="needs-iwarp" version="1">
                    <feature>verbena</feature>
                    <feature dependency="true">verbena-provider-loopback</feature>
                    <feature dependency="true">verbena-provider-iwarp</feature>
                    <bundle>%s</bundle>
                  </feature>
                </features>
                """.formatted(any.toUri(), iwarp.toUri()));
        karaf.run("feature:repo-add " + features.toUri());
    }

    @AfterAll
    static void stop() {
        if (karaf != null) {
            karaf.close();
        }
    }

    @Test
    void bringsTheProviderThatIsRequired() {
        karaf.run("feature:install needs-iwarp");

        assertThat(bundles()).contains(IWARP).doesNotContain(LOOPBACK);

        karaf.run("feature:uninstall needs-iwarp");
        assertThat(bundles()).doesNotContain(IWARP);
    }

    @Test
    void bringsOneProviderWhereAnyWillDo() {
        karaf.run("feature:install needs-any");

        String bundles = bundles();
        assertThat(bundles.contains(IWARP)).isNotEqualTo(bundles.contains(LOOPBACK));

        karaf.run("feature:uninstall needs-any");
        assertThat(bundles()).doesNotContain(IWARP).doesNotContain(LOOPBACK);
    }

    private static String bundles() {
        return karaf.run("bundle:list -t 0 -s");
    }
}
