package org.verbena.rdma.rping.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.rping.Rping;

/** An rping on a thread of its own, and what it prints. */
final class RunningRping {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CompletableFuture<Integer> status = new CompletableFuture<>();
    private final Thread thread;

    RunningRping(Rping rping, String arguments) {
        thread = new Thread(() -> run(rping, List.of(arguments.split(" "))), "rping " + arguments);
        thread.start();
    }

    private void run(Rping rping, List<String> arguments) {
        try {
            status.complete(rping.run(arguments, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)));
        } catch (InterruptedException | RuntimeException e) {
            status.completeExceptionally(e);
        }
    }

    void mustEndWith(int expected) throws Exception {
        assertThat(status.get(LoopbackBench.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as(this::toString)
                .isEqualTo(expected);
    }

    void interrupt() {
        thread.interrupt();
    }

    CompletableFuture<Integer> status() {
        return status;
    }

    void awaitOutput(String text) {
        awaitLine(out, text);
    }

    void awaitError(String text) {
        awaitLine(err, text);
    }

    /** The port in the line that says where it listens. */
    String port() {
        awaitOutput("listening on");
        return output().get(0).replaceFirst(".* port ", "");
    }

    List<String> output() {
        return out.toString(UTF_8).lines().toList();
    }

    List<String> errors() {
        return err.toString(UTF_8).lines().toList();
    }

    @Override
    public String toString() {
        return thread.getName() + "\n" + out.toString(UTF_8) + err.toString(UTF_8);
    }

    private void awaitLine(ByteArrayOutputStream stream, String text) {
        await(thread.getName() + " to say: " + text)
                .atMost(LoopbackBench.PATIENCE)
                .until(() -> stream.toString(UTF_8).contains(text));
    }
}
