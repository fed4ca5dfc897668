package org.verbena.rdma.benchmarks.iwarp;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program of others that measures between two processes of its own, a server and a client. */
final class Program {
    private static final int ATTEMPTS = 50;
    private static final long RETRY_MILLIS = 50;
    private static final long LONGEST_SECONDS = 60;

    private final String name;
    private final String debianPackage;
    private final Map<String, String> environment;

    Program(String name, String debianPackage, Map<String, String> environment) {
        this.name = name;
        this.debianPackage = debianPackage;
        this.environment = environment;
    }

    String name() {
        return name;
    }

    String missing() {
        String path = System.getenv().getOrDefault("PATH", "");
        boolean there =
                Stream.of(path.split(File.pathSeparator)).anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
        return there ? "" : name + " is not installed (Debian's " + debianPackage + ")";
    }

    /**
     * Runs a server and a client, and returns what the client has printed. The client is tried until the server listens.
     */
    String run(List<String> server, List<String> client) throws IOException, InterruptedException {
        Process listening = start(server, true);
        try {
            String said = "";
            for (int i = 0; i < ATTEMPTS && listening.isAlive(); i++) {
                Process measuring = start(client, false);
                try {
                    said = new String(measuring.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    if (measuring.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) && measuring.exitValue() == 0) {
                        return said;
                    }
                } finally {
                    measuring.destroyForcibly();
                }
                Thread.sleep(RETRY_MILLIS);
            }
            throw new IOException(name + " has failed: " + said.strip());
        } finally {
            listening.destroyForcibly();
            listening.waitFor();
        }
    }

    private Process start(List<String> arguments, boolean silent) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(Stream.of(name), arguments.stream()).toList());
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true);
        if (silent) {
            builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        }
        return builder.start();
    }
}
