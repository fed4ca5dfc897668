package org.verbena.rdma.itests.karaf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What README says of Karaf, typed into the console of a fresh one. */
@NeedsKaraf
class ReadmeIT {
    private static final String PLACEHOLDER = "file:/path/to/verbena-0.1.0-SNAPSHOT.kar";

    private static final Pattern PINGED =
            Pattern.compile("10 pings of 64 bytes to 127\\.0\\.0\\.1 port \\d+ by device iwarp-lo, all verified");

    @Test
    void threeCommandsLeadToAWorkingRping() throws Exception {
        List<String> commands = commands();
        assertThat(commands).hasSize(3);
        assertThat(commands.get(0)).isEqualTo("kar:install " + PLACEHOLDER);
        try (Karaf karaf = Karaf.unpack("readme")) {
            karaf.startInConsole();
            for (String command : commands) {
                karaf.type(command.replace(PLACEHOLDER, Karaf.kar().toUri().toString()));
            }
            Karaf.await(
                    "rping says that it has pinged",
                    () -> PINGED.matcher(karaf.screen()).find(),
                    () -> karaf.screen() + karaf.log());
            karaf.type("system:shutdown -f");
            karaf.awaitEnd();
            assertThat(karaf.hasDownloaded()).isFalse();
        }
    }

    private static List<String> commands() throws Exception {
        String readme = Files.readString(Path.of(System.getProperty("verbena.root"), "README.md"));
        String section = readme.substring(readme.indexOf("\n## In Karaf\n"));
        return section.lines()
                .dropWhile(line -> !line.startsWith("    "))
                .takeWhile(line -> line.startsWith("    "))
                .map(String::strip)
                .toList();
    }
}
