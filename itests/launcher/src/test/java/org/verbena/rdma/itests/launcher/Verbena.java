package org.verbena.rdma.itests.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A process of {@code launcher/verbena}, and what it prints on standard output and error. */
public final class Verbena implements AutoCloseable {
    public static final int PATIENCE_SECONDS = 60;

    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    private Verbena(ProcessBuilder builder) throws IOException {
        process = builder.redirectErrorStream(true).start();
        Thread reader = new Thread(this::read, "reader");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts what stands in the checkout, and does not build it: that is done. */
    public static Verbena start(String... arguments) throws IOException {
        return start(Map.of(), arguments);
    }

    public static Verbena start(Map<String, String> environment, String... arguments) throws IOException {
        return start(Path.of(System.getProperty("verbena.launcher"), "verbena"), environment, arguments);
    }

    public static Verbena start(Path script, Map<String, String> environment, String... arguments) throws IOException {
        // Whoever runs the tests in the background of a script has them ignore this signal.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.add(script.toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("VERBENA_NO_BUILD", "1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        return new Verbena(builder);
    }

    /** Types a line. */
    public void type(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();
    }

    /** Control-C, or what else a person does to it. */
    public void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /** Waits for a line that has a text in it, and returns it. */
    public synchronized String await(String text) throws InterruptedException {
        return await(line -> line.contains(text), text);
    }

    /** Waits for the end; returns the exit status. */
    public int status() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("it ends; so far: " + lines())
                .isTrue();
        ended.await();
        return process.exitValue();
    }

    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private synchronized String await(Predicate<String> wanted, String what) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (lines.stream().noneMatch(wanted)) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            assertThat(left).as("it says '" + what + "'; so far: " + lines).isPositive();
            wait(left);
        }
        return lines.stream().filter(wanted).findFirst().orElseThrow();
    }

    private void read() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            ended.countDown();
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        notifyAll();
    }
}
