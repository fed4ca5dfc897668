package org.verbena.rdma.core.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Where there is a flight recorder, and where there is none. */
class RecorderTest {
    @Test
    @DisplayName("Where the JVM offers the flight recorder it is used")
    void available() {
        assertThat(Recorder.available().getClass().getSimpleName()).isEqualTo("FlightRecorder");
    }

    @Test
    @DisplayName("In a JVM without the module jdk.jfr nothing is recorded, and nothing fails")
    void absent() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--limit-modules",
                        "java.base",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Asked.class.getName())
                .redirectErrorStream(true)
                .start();

        assertThat(new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines("NoRecorder");
    }

    /** A program. */
    static final class Asked {
        private Asked() {}

        public static void main(String[] arguments) {
            System.out.println(Recorder.available().getClass().getSimpleName());
        }
    }
}
