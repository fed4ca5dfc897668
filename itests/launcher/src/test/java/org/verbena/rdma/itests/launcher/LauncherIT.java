package org.verbena.rdma.itests.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LauncherIT {
    @TempDir
    Path folder;

    @Test
    void theDemoSeesAllThatItWantsToShow() throws Exception {
        try (Verbena demo = Verbena.start("demo")) {
            assertThat(demo.status()).as(String.join("\n", demo.lines())).isZero();
            assertThat(demo.lines()).last().asString().matches("All \\d+ things were seen\\.");
        }
    }

    @Test
    void serverAndClientPingSideBySide() throws Exception {
        try (Verbena server = Verbena.start("rping", "-s", "-p", "0", "-v")) {
            String port = server.await("listening on").replaceFirst(".* port ", "");
            try (Verbena client = Verbena.start("rping", "-c", "-a", "127.0.0.1", "-p", port, "-C", "10", "-v", "-V")) {
                assertThat(client.status()).as(client.lines().toString()).isZero();
                assertThat(server.status()).as(server.lines().toString()).isZero();
                assertThat(pings(client)).hasSize(10).isEqualTo(pings(server));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | rping -c -a 127.0.0.1 -p 1         | rping: nobody listens on 127.0.0.1 port 1",
                "1 | rping -c -a nosuch.invalid         | rping: there is no host or address 'nosuch.invalid'",
                "2 | rping --nosuch                     | rping: ",
                "1 | unplug nosuch                      | unplug: ",
                "2 | unplug                             | unplug: Missing required parameter",
                "2 | nosuch                             | verbena: there is no command 'nosuch'",
                "2 | --nosuch                           | verbena: Unknown option: '--nosuch'",
                "2 | --device eth0 devices              | verbena: Invalid value for option '--device'",
            })
    void whatGoesWrongIsOneSentenceAndAStatus(int status, String arguments, String sentence) throws Exception {
        try (Verbena verbena = Verbena.start(arguments.split(" +"))) {
            assertThat(verbena.status()).isEqualTo(status);
            assertThat(verbena.lines()).singleElement().asString().startsWith(sentence);
        }
    }

    @Test
    void explainsItself() throws Exception {
        try (Verbena verbena = Verbena.start("--help")) {
            assertThat(verbena.status()).isZero();
            assertThat(verbena.lines()).anyMatch(line -> line.contains("--device"));
        }
    }

    @Test
    void makesTheDevicesThatItIsAskedFor() throws Exception {
        try (Verbena verbena = Verbena.start(
                "--device", "iwarp:mine=127.0.0.1", "--device", "loopback:pretend=198.18.0.1", "devices")) {
            assertThat(verbena.status()).isZero();
            assertThat(verbena.lines())
                    .anyMatch(line -> line.matches("mine +iwarp +iwarp +present +up +0 +0 +127\\.0\\.0\\.1"))
                    .anyMatch(line -> line.matches("pretend +loopback +loopback +present +up +0 +0 +198\\.18\\.0\\.1"));
        }
    }

    @Test
    void runsAScriptLineByLineWithJobsBesideIt() throws Exception {
        Path script = Files.write(
                folder.resolve("script"),
                List.of(
                        "# a server in the background, a client, a failure, and on it goes",
                        "rping -s -P -p 27174 &",
                        "rping -c -a 127.0.0.1 -p 27174 -C 3 -V",
                        "rdma:unplug nosuch",
                        "",
                        "listeners"));
        try (Verbena verbena = Verbena.start(Map.of("VERBENA_SCRIPT", script.toString()))) {
            assertThat(verbena.status()).as(verbena.lines().toString()).isEqualTo(1);
            assertThat(verbena.lines())
                    .anyMatch(line -> line.startsWith("3 pings of 64 bytes"))
                    .anyMatch(line -> line.startsWith("unplug: "))
                    .anyMatch(line -> line.matches("\\d+ +0\\.0\\.0\\.0:27174 .*"));
        }
    }

    @Test
    void showsWhatItCountsAndHowFastItIs() throws Exception {
        Path script = Files.write(
                folder.resolve("script"),
                List.of("perf -a 127.0.0.1 -t 1", "stats iwarp-lo --all", "connections --json", "doctor --help"));
        try (Verbena verbena = Verbena.start(Map.of("VERBENA_SCRIPT", script.toString()))) {
            assertThat(verbena.status()).as(verbena.lines().toString()).isZero();
            assertThat(verbena.lines())
                    .anyMatch(line -> line.startsWith("latency of 64-byte messages"))
                    .anyMatch(line -> line.startsWith("bandwidth of 65536-byte writes"))
                    .anyMatch(line -> line.startsWith("Usage: doctor"));
        }
    }

    @Test
    void aScriptInWhichAllGoesWellHasStatus0() throws Exception {
        Path script = Files.write(folder.resolve("script"), List.of("unplug iwarp-lo", "plug iwarp-lo", "devices"));
        try (Verbena verbena = Verbena.start(Map.of("VERBENA_SCRIPT", script.toString()))) {
            assertThat(verbena.status()).as(verbena.lines().toString()).isZero();
            assertThat(verbena.lines())
                    .anyMatch(line -> line.matches("iwarp-lo +.* present .*"))
                    .noneMatch(line -> line.contains("gosh_profile"));
        }
    }

    @Test
    void saysOnceThatTheKernelHasNoRdmaDevice() throws Exception {
        assumeTrue(Files.notExists(Path.of("/sys/class/infiniband_verbs")), "the kernel has RDMA devices");
        Path script = Files.write(folder.resolve("script"), List.of("devices"));
        try (Verbena verbena = Verbena.start(Map.of("VERBENA_SCRIPT", script.toString()))) {
            assertThat(verbena.status()).as(verbena.lines().toString()).isZero();
            assertThat(verbena.lines())
                    .filteredOn(line -> line.contains("there is no RDMA device of the kernel in this machine"))
                    .hasSize(1);
        }
    }

    @Test
    void theShellTakesCommandsUntilExit() throws Exception {
        try (Verbena shell = Verbena.start()) {
            shell.await("Verbena.");
            shell.type("devices");
            shell.await("iwarp-lo ");
            shell.type("exit");

            assertThat(shell.status()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void aSignalEndsItAndLeavesNothing(String signal) throws Exception {
        Map<String, String> environment = Map.of("VERBENA_JAVA_OPTIONS", "-Djava.io.tmpdir=" + folder);
        try (Verbena server = Verbena.start(environment, "rping", "-s", "-P", "-p", "0")) {
            server.await("listening on");
            assertThat(content(folder)).isNotEmpty();

            server.signal(signal);

            assertThat(server.status()).isEqualTo(signal.equals("INT") ? 130 : 143);
            assertThat(server.lines()).hasSize(2).last().isEqualTo("rping: the server was stopped");
            assertThat(content(folder)).isEmpty();
        }
    }

    @Test
    void theDistributionRunsAnywhere() throws Exception {
        String name = "verbena-" + System.getProperty("verbena.version");
        Path tarball = Path.of(System.getProperty("verbena.launcher"), "target", name + ".tar.gz");
        assertThat(new ProcessBuilder("tar", "xzf", tarball.toString(), "-C", folder.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        try (Verbena verbena = Verbena.start(folder.resolve(name).resolve("bin/verbena"), Map.of(), "devices")) {
            assertThat(verbena.status()).as(verbena.lines().toString()).isZero();
            assertThat(verbena.lines()).anyMatch(line -> line.startsWith("iwarp-lo "));
        }
    }

    private static List<String> pings(Verbena side) {
        return side.lines().stream()
                .filter(line -> line.contains("ping data: "))
                .map(line -> line.replaceFirst(".*ping data: ", ""))
                .toList();
    }

    private static List<Path> content(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
