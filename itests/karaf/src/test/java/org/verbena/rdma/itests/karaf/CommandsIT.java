package org.verbena.rdma.itests.karaf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The commands, by SSH: typed into a terminal, and run by programs. */
@NeedsKaraf
class CommandsIT {
    private static Karaf karaf;

    @BeforeAll
    static void start() throws Exception {
        karaf = Karaf.unpack("commands").start();
        karaf.installKar();
        karaf.run("feature:install verbena-rping verbena-shell verbena-provider-loopback verbena-provider-iwarp");
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
    void noCommandIsThereTwiceAndEachCanBeCompleted() throws Exception {
        Path lister = TestBundles.build(
                "commands",
                Map.of(
                        "Bundle-Activator",
                        "org.verbena.rdma.itests.karaf.commands.CommandLister",
                        "Import-Package",
                        "*"));
        karaf.run("bundle:install -s " + lister.toUri());

        assertThat(karaf.linesOf("commands.txt"))
                .containsExactlyInAnyOrder(
                        "devices",
                        "ids",
                        "listeners",
                        "connections",
                        "stats",
                        "rping",
                        "perf",
                        "unplug",
                        "plug",
                        "trace",
                        "doctor");
        assertThat(karaf.log()).doesNotContain("| ERROR |");
    }

    @Test
    void commandsOptionsNamesAndAddressesAreCompleted() throws Exception {
        try (Shell.Terminal terminal = karaf.openTerminal()) {
            assertCompleted(terminal, "rdma:rp", "rdma:rping");
            assertCompleted(terminal, "rdma:devices o", "rdma:devices one");
            assertCompleted(terminal, "rdma:unplug iw", "rdma:unplug iwarp-lo");
            assertCompleted(terminal, "rdma:rping --late", "rdma:rping --late-queue-pair");
            assertCompleted(terminal, "rdma:rping -c -a 198", "198.18.0.1 ");
            assertCompleted(terminal, "rdma:perf -a 198", "198.18.0.1 ");
        }
    }

    private static void assertCompleted(Shell.Terminal terminal, String typed, String completed) throws Exception {
        terminal.type(typed + "\t");
        terminal.await(completed);
        terminal.interrupt();
        terminal.await("karaf@root");
    }

    @Test
    void traceGoesOnUntilControlC() throws Exception {
        try (Shell.Terminal terminal = karaf.openTerminal()) {
            terminal.enter("rdma:trace one");
            Karaf.await(
                    "the trace shows what happens",
                    () -> {
                        karaf.run("rdma:rping -s -c -a 198.18.0.1 -C 1");
                        return terminal.shown().contains("event  ESTABLISHED to id");
                    },
                    terminal::shown);

            assertInterrupted(terminal);
        }
    }

    @Test
    void statsGoOnUntilControlC() throws Exception {
        try (Shell.Terminal terminal = karaf.openTerminal()) {
            karaf.run("rdma:rping -s -c -a 198.18.0.1 -C 1");
            terminal.enter("rdma:stats --every 1 one");
            terminal.await("PER SECOND");
            terminal.await("messages.send.out");

            assertInterrupted(terminal);
        }
    }

    @Test
    void perfGoesOnUntilControlCAndLeavesNothing() throws Exception {
        try (Shell.Terminal terminal = karaf.openTerminal()) {
            terminal.enter("rdma:perf -a 198.18.0.1 -t 600");
            terminal.await("latency: 1 s of 600 s");

            assertInterrupted(terminal);
        }
        karaf.awaitOutput("rdma:ids", "no ids", true);
    }

    @Test
    void aServerGoesOnUntilControlC() throws Exception {
        try (Shell.Terminal terminal = karaf.openTerminal()) {
            terminal.enter("rdma:rping -s -P -a 127.0.0.1");
            terminal.await("listening on 127.0.0.1");
            assertThat(karaf.run("rdma:listeners")).contains("127.0.0.1:7174", "rping");

            assertInterrupted(terminal);
        }
        karaf.awaitOutput("rdma:listeners", "no listeners", true);
    }

    /** The command is over, and the terminal is not. */
    private static void assertInterrupted(Shell.Terminal terminal) throws Exception {
        terminal.interrupt();
        terminal.await("karaf@root");
        terminal.enter("rdma:devices one");
        terminal.await("loopback, loopback");
    }

    @Test
    void perfPrintsPercentilesAHistogramAndBandwidth() {
        assertThat(karaf.run("rdma:perf -a 127.0.0.1 -t 1"))
                .containsPattern("latency of 64-byte messages, there and back: \\d+ in ")
                .containsPattern("50% [0-9.]+ us .* 99% [0-9.]+ us .* max [0-9.]+ us")
                .containsPattern("below [0-9.]+ us +#+ \\d+")
                .containsPattern("bandwidth of 65536-byte writes: [0-9.]+ MiB/s");
    }

    @Test
    void programsGetJson() throws Exception {
        try (Shell.Running server = karaf.begin("rdma:rping -s -P -a 198.18.0.1 -p 4711")) {
            server.awaitOutput("listening on");

            assertThat(json("rdma:devices --json").getAsJsonArray()).hasSize(2);
            assertThat(json("rdma:listeners --json").toString()).contains("198.18.0.1:4711");
            assertThat(json("rdma:ids --json").toString()).contains("198.18.0.1:4711");
            assertThat(json("rdma:connections --json").getAsJsonArray()).isEmpty();
            assertThat(json("rdma:stats --json").getAsJsonObject().keySet())
                    .containsExactlyInAnyOrder("one", "iwarp-lo");
            assertThat(json("rdma:doctor --json").toString()).contains("Device one of provider loopback serves");
            assertThat(json("rdma:devices --json one")
                            .getAsJsonObject()
                            .get("consumers")
                            .toString())
                    .contains("org.verbena.rdma.rping");
        }
    }

    @Test
    void programsGetAnObjectALineOfWhatHappens() throws Exception {
        try (Shell.Running trace = karaf.begin("rdma:trace --json one")) {
            Karaf.await(
                    "the trace prints something",
                    () -> {
                        karaf.run("rdma:rping -s -c -a 198.18.0.1 -C 1");
                        return trace.output().lines().count() > 1;
                    },
                    trace::output);
            JsonElement first =
                    JsonParser.parseString(trace.output().lines().findFirst().orElseThrow());
            assertThat(first.getAsJsonObject().get("what").getAsString()).isEqualTo("event");
        }
    }

    private static JsonElement json(String command) {
        return JsonParser.parseString(karaf.run(command));
    }

    @Test
    void theDoctorSaysInSentencesHowItIs() {
        assertThat(karaf.run("rdma:doctor"))
                .contains("  ok  Device one of provider loopback serves 198.18.0.1, link up.")
                .contains("  ok  Device iwarp-lo of provider iwarp serves ");
    }

    @Test
    void whatGoesWrongIsASentenceAndAStatusAndNothingInTheLog() throws Exception {
        for (List<String> wrong : List.of(
                List.of("rdma:devices nosuch", "devices: there is no device nosuch"),
                List.of("rdma:plug one", "plug: there is no device one that is unplugged"),
                List.of("rdma:rping -c -a 198.18.0.77 -C 1", "rping: "),
                List.of("rdma:perf -c", "perf: a client needs the address of its server: -a ADDRESS"))) {
            try (Shell.Running command = karaf.begin(wrong.get(0))) {
                command.awaitEnd();
                assertThat(command.output()).contains(wrong.get(1));
                assertThat(command.status()).as(wrong.get(0)).isEqualTo(1);
            }
        }
        assertThat(karaf.log()).doesNotContain("| ERROR |");
    }
}
