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
        File output = directory.resolve("output").toFile();
        Process program = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx24m",
                        "-XX:+UseSerialGC",
                        "-XX:-UseTLAB",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullHeap.class.getName()))
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            assertThat(program.waitFor(100, TimeUnit.SECONDS))
                    .as("ends in time")
                    .isTrue();
            String said = java.nio.file.Files.readString(output.toPath(), StandardCharsets.UTF_8);
            assertThat(program.exitValue()).as(said).isZero();
            assertThat(said).contains("all events have come");
        } finally {
            program.destroyForcibly();
        }
    }
}
