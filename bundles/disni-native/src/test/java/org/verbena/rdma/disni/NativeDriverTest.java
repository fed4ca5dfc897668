package org.verbena.rdma.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The natives without a JVM, under AddressSanitizer: what needs no device. The kernel guest runs the rest. */
class NativeDriverTest {
    private static final int SKIPPED = 77;

    @Test
    @EnabledOnOs(OS.LINUX)
    void natives() throws Exception {
        Path target = Path.of(System.getProperty("verbena.native")).getParent();
        Path out = target.resolve("driver");
        Files.deleteIfExists(out.resolve("driver"));
        Process process = new ProcessBuilder(
                        "sh",
                        "src/test/native/run",
                        target.resolve("native-headers").toString(),
                        out.toString(),
                        System.getProperty("java.home"))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();

        assumeFalse(status == SKIPPED, said);
        assertThat(said).contains("without a device: passed");
        assertThat(status).isZero();
    }
}
