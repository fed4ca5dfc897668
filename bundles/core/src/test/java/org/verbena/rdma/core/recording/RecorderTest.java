package org.verbena.rdma.core.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where there is a flight recorder, and where there is none. */
class RecorderTest {
    @Test
    @DisplayName("Where the JVM offers the flight recorder it is used")
    void available() {
        assertThat(Recorder.available().getClass().getSimpleName()).isEqualTo("FlightRecorder");
    }

    @Test
    @DisplayName("A framework that shows jdk.jfr to no bundle does not keep core from recording")
    void hidden(@TempDir Path directory) throws Exception {
        Class<?> recorder = new BundleLoader().loadClass(Recorder.class.getName());
        Object found = recorder.getMethod("available").invoke(null);
        Path file = directory.resolve("recording.jfr");

        try (Recording recording = new Recording()) {
            recording.start();
            recorder.getMethod("deviceUp", String.class, String.class, String.class)
                    .invoke(found, "d0", "provider", "addresses");
            recording.stop();
            recording.dump(file);
        }

        assertThat(RecordingFile.readAllEvents(file))
                .anyMatch(event -> event.getEventType().getName().equals("org.verbena.rdma.DeviceUp"));
    }

    /** Sees java.* and the package, as the class loader of a bundle without imports. */
    private static final class BundleLoader extends ClassLoader {
        BundleLoader() {
            super(RecorderTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("java.")) {
                return super.loadClass(name, resolve);
            }
            if (!name.startsWith(Recorder.class.getPackageName() + ".")) {
                throw new ClassNotFoundException(name);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = code.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
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
