package org.verbena.rdma.itests.schedules;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs searches in JVMs of their own, and knows how thorough they are to be. */
final class Searches {
    private static final long LIMIT_MINUTES = 90;

    private Searches() {}

    /** What a JVM left: its exit status, and what it has printed. */
    record Ended(int status, String output) {}

    static Path target() {
        return Path.of(System.getProperty("verbena.target")).toAbsolutePath();
    }

    static boolean isLong() {
        return System.getProperty("verbena.search", "short").equals("long");
    }

    static String classPath() {
        return System.getProperty("java.class.path");
    }

    /** An empty folder for a search. */
    static Path folder(String name) throws IOException {
        Path folder = target().resolve("searches").resolve(name);
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path old : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(old);
                }
            }
        }
        return Files.createDirectories(folder);
    }

    /**
     * Runs a JVM in a folder and waits for its end.
     *
     * @param front a folder of classes that go before all others, or {@code null}
     */
    static Ended java(Path folder, Path front, List<String> options, Class<?> main, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add((front == null ? "" : front + File.pathSeparator) + classPath());
        command.add(main.getName());
        command.addAll(arguments);
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException("no end after " + LIMIT_MINUTES + " minutes, see " + output);
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(output));
    }
}
