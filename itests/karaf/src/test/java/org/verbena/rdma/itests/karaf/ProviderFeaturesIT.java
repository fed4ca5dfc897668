package org.verbena.rdma.itests.karaf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Features of providers come and go while a ping runs. */
@NeedsKaraf
class ProviderFeaturesIT {
    private static Karaf karaf;

    @BeforeAll
    static void start() throws Exception {
        karaf = Karaf.unpack("providers").start();
        karaf.startRecorder();
        karaf.installKar();
        karaf.run("feature:install verbena-rping verbena-shell verbena-provider-loopback");
        karaf.configure("org.verbena.rdma.provider.loopback-one.cfg", "addresses = 198.18.0.1\n");
        karaf.awaitOutput("rdma:devices", "198.18.0.1", true);
    }

    @AfterAll
    static void stop() {
        if (karaf != null) {
            karaf.close();
        }
    }

    @Test
    void theFeaturesOfProvidersComeAndGoUnderTraffic() throws Exception {
        try (Shell.Running server = karaf.begin("rdma:rping -s -P");
                Shell.Running client = karaf.begin("rdma:rping -c -a 198.18.0.1 -V -v")) {
            client.awaitOutput("ping data: ");
            karaf.bundleEvents();

            karaf.run("feature:install verbena-provider-iwarp");
            karaf.awaitOutput("rdma:devices", "iwarp-lo", true);
            goesOn(client);
            assertThat(karaf.bundleEvents())
                    .containsExactlyInAnyOrder(
                            "INSTALLED org.verbena.rdma.provider-iwarp",
                            "RESOLVED org.verbena.rdma.provider-iwarp",
                            "STARTED org.verbena.rdma.provider-iwarp");

            karaf.run("feature:uninstall verbena-provider-iwarp");
            karaf.awaitOutput("rdma:devices", "iwarp-lo", false);
            goesOn(client);
            assertThat(karaf.bundleEvents())
                    .containsExactlyInAnyOrder(
                            "STOPPED org.verbena.rdma.provider-iwarp",
                            "UNRESOLVED org.verbena.rdma.provider-iwarp",
                            "UNINSTALLED org.verbena.rdma.provider-iwarp");

            karaf.run("feature:uninstall verbena-provider-loopback");
            client.awaitEnd();
            assertThat(client.output()).doesNotContain("all verified");
            assertThat(karaf.log()).containsPattern("device one removed after .*: 2 ids told, nobody forced");
            assertThat(server.isRunning()).as(server.output()).isTrue();
            assertThat(karaf.bundleEvents())
                    .containsExactlyInAnyOrder(
                            "STOPPED org.verbena.rdma.provider-loopback",
                            "UNRESOLVED org.verbena.rdma.provider-loopback",
                            "UNINSTALLED org.verbena.rdma.provider-loopback");

            karaf.run("feature:install verbena-provider-loopback");
            karaf.awaitOutput("rdma:devices", "198.18.0.1", true);
            assertThat(karaf.run("rdma:rping -c -a 198.18.0.1 -C 3 -V")).contains("3 pings of 64 bytes");
            assertThat(server.isRunning()).as(server.output()).isTrue();
        }
        assertThat(karaf.log()).doesNotContain("| ERROR |");
        assertThat(karaf.hasDownloaded()).isFalse();
    }

    private static void goesOn(Shell.Running client) {
        int before = client.output().length();
        Karaf.await("the pings go on", () -> client.output().length() > before, client::output);
        assertThat(client.isRunning()).isTrue();
    }
}
