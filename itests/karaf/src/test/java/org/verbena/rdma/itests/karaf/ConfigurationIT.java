package org.verbena.rdma.itests.karaf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Files in etc make, change and remove devices while Karaf runs, and hold over a restart of it. */
@NeedsKaraf
@TestMethodOrder(OrderAnnotation.class)
class ConfigurationIT {
    private static final String ONE = "org.verbena.rdma.provider.loopback-one.cfg";
    private static final String WIRE = "org.verbena.rdma.provider.iwarp-wire.cfg";
    private static final String CORE = "org.verbena.rdma.core.cfg";

    private static Karaf karaf;

    @BeforeAll
    static void start() throws Exception {
        karaf = Karaf.unpack("configuration").start();
        karaf.startRecorder();
        karaf.installKar();
        karaf.run("feature:install verbena-rping verbena-shell verbena-provider-loopback verbena-provider-iwarp");
        karaf.awaitOutput("rdma:devices", "iwarp-lo", true);
        karaf.bundleEvents();
    }

    @AfterAll
    static void stop() {
        if (karaf != null) {
            karaf.close();
        }
    }

    @Test
    @Order(1)
    void theFeaturesLeaveInEtcWhatCanBeConfigured() {
        assertThat(karaf.etc(CORE)).content().contains("# Every change applies live", "removal.deadline.ms = 3000");
        assertThat(karaf.etc("org.verbena.rdma.provider.iwarp.cfg.example"))
                .content()
                .contains("recreates");
        assertThat(karaf.etc("org.verbena.rdma.provider.loopback.cfg.example"))
                .content()
                .contains("Applies live");
        assertThat(karaf.run("config:meta org.verbena.rdma.core")).contains("removal.deadline.ms", "3000");
    }

    @Test
    @Order(2)
    void aFileMakesChangesAndRemovesADevice() throws Exception {
        karaf.configure(ONE, Files.readString(karaf.etc("org.verbena.rdma.provider.loopback.cfg.example")));
        karaf.awaitOutput("rdma:devices", "198.18.0.1", true);

        karaf.configure(ONE, "addresses = 198.18.0.7\n");
        karaf.awaitOutput("rdma:devices", "198.18.0.7", true);
        assertThat(arrivals("one"))
                .as("times that it came: its addresses are changed live")
                .hasSize(1);

        karaf.configure(ONE, "addresses = 198.18.0.7\nmax.segments = 4\n");
        Karaf.await("the device is recreated", () -> arrivals("one").size() == 2, karaf::log);

        Files.delete(karaf.etc(ONE));
        karaf.awaitOutput("rdma:devices", "198.18.0.7", false);
        assertThat(karaf.bundleEvents()).isEmpty();
    }

    @Test
    @Order(3)
    void aFileTakesThePlaceOfTheDeviceThatThereIsWithoutAny() throws Exception {
        karaf.configure(WIRE, "name = wire\ninterface = lo\n");
        karaf.awaitOutput("rdma:devices", "wire", true);
        karaf.awaitOutput("rdma:devices", "iwarp-lo", false);

        Files.delete(karaf.etc(WIRE));
        karaf.awaitOutput("rdma:devices", "iwarp-lo", true);
        karaf.awaitOutput("rdma:devices", "wire", false);
        assertThat(karaf.bundleEvents()).isEmpty();
    }

    @Test
    @Order(4)
    void aBadValueIsNamedAndChangesNothing() throws Exception {
        karaf.configure(CORE, "removal.deadline.ms = soon\n");
        Karaf.await(
                "the log names the key",
                () -> karaf.log().contains("removal.deadline.ms : must be a whole number, not 'soon'"),
                karaf::log);

        assertThat(karaf.run("rdma:rping -s -c -a 127.0.0.1 -C 3 -V")).contains("3 pings of 64 bytes");
        assertThat(karaf.bundleEvents()).isEmpty();
    }

    @Test
    @Order(5)
    void allOfItHoldsOverARestart() throws Exception {
        karaf.configure(CORE, "removal.deadline.ms = 2500\n");
        karaf.configure(ONE, "addresses = 198.18.0.9\n");
        karaf.configure(WIRE, "name = wire\ninterface = lo\n");
        karaf.awaitOutput("rdma:devices", "198.18.0.9", true);
        karaf.awaitOutput("rdma:devices", "wire", true);

        karaf.stop();
        karaf.start();

        karaf.awaitOutput("rdma:devices", "198.18.0.9", true);
        karaf.awaitOutput("rdma:devices", "wire", true);
        assertThat(karaf.run("rdma:devices")).doesNotContain("iwarp-lo");
        assertThat(karaf.run("config:property-list --pid org.verbena.rdma.core"))
                .contains("2500");
        assertThat(karaf.run("rdma:rping -s -c -a 198.18.0.9 -C 3 -V")).contains("3 pings of 64 bytes");
        assertThat(karaf.run("rdma:rping -s -c -a 127.0.0.1 -C 3 -V")).contains("3 pings of 64 bytes");
        assertThat(karaf.hasDownloaded()).isFalse();
    }

    private static List<String> arrivals(String device) {
        return karaf.log()
                .lines()
                .filter(line -> line.contains("device " + device + " of provider") && line.contains(" is up"))
                .toList();
    }
}
