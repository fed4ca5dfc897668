package org.verbena.rdma.itests.karaf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** All features at once, beside a ping that runs, and away again. */
@NeedsKaraf
class EverythingIT {
    private static Karaf karaf;

    @BeforeAll
    static void start() throws Exception {
        karaf = Karaf.unpack("everything").start();
        karaf.startRecorder();
        karaf.installKar();
        karaf.run("feature:install verbena-rping verbena-provider-iwarp");
    }

    @AfterAll
    static void stop() {
        if (karaf != null) {
            karaf.close();
        }
    }

    @Test
    void everythingComesAndGoesAndStopsNothingElse() throws Exception {
        try (Shell.Running ping = karaf.begin("rdma:rping -s -c -a 127.0.0.1 -v -V")) {
            ping.awaitOutput("ping data: ");
            karaf.bundleEvents();

            karaf.run("feature:install felix-http webconsole verbena-all");

            List<String> events = karaf.bundleEvents();
            assertThat(events)
                    .as("nothing that was there is touched")
                    .noneMatch(event -> event.matches("(STOPPED|UNRESOLVED|UPDATED|UNINSTALLED|ERROR) .*"));
            assertThat(events)
                    .contains(
                            "STARTED org.verbena.rdma.shell-karaf",
                            "STARTED org.verbena.rdma.provider-disni",
                            "STARTED org.verbena.rdma.console");
            assertThat(ping.isRunning()).as(ping.output()).isTrue();
            assertThat(states()).allMatch(line -> line.contains("| Active "));

            karaf.run("feature:uninstall verbena-all webconsole felix-http");

            assertThat(karaf.bundleEvents())
                    .noneMatch(event ->
                            event.matches(".* org\\.verbena\\.rdma\\." + "(api|spi|core|rping-karaf|provider-iwarp)"))
                    .noneMatch(event -> event.startsWith("STARTED ") || event.startsWith("ERROR "));
            assertThat(ping.isRunning()).as(ping.output()).isTrue();
        }
        karaf.run("feature:uninstall verbena-rping verbena-provider-iwarp");
        assertThat(states()).isEmpty();
        assertThat(karaf.hasDownloaded()).isFalse();
        assertThat(karaf.log()).doesNotContain("| ERROR |");
    }

    private static List<String> states() {
        return karaf.run("bundle:list -t 0 -s")
                .lines()
                .filter(line -> line.contains("org.verbena."))
                .toList();
    }
}
