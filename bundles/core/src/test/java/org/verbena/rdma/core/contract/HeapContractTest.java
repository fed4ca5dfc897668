package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens when there is no memory left, in a JVM that may break. */
class HeapContractTest {
    @Test
    @DisplayName("C3: events that come while the heap is full are delivered when there is room, each once and in order")
    void fullHeap(@TempDir Path directory) throws IOException, InterruptedException {
        assertThat(said(directory, FullHeap.class.getName())).contains("all events have come");
    }

    @Test
    @DisplayName("C3: a request for which there is no room takes none of those with it that wait already")
    void fullQueue(@TempDir Path directory) throws IOException, InterruptedException {
        assertThat(said(directory, "org.verbena.rdma.core.cm.FullQueue")).contains("kept");
    }

    /** Runs a program with a small heap, which must end well, and returns what it has printed. */
    private static String said(Path directory, String program) throws IOException, InterruptedException {
        File output = directory.resolve("output").toFile();
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx24m",
                        "-XX:+UseSerialGC",
                        "-XX:-UseTLAB",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program))
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS))
                    .as("ends in time")
                    .isTrue();
            String said = java.nio.file.Files.readString(output.toPath(), StandardCharsets.UTF_8);
            assertThat(process.exitValue()).as(said).isZero();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
