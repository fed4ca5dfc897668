package org.verbena.rdma.rping.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.rping.run.Run;
import org.verbena.rdma.rping.wire.PingFailedException;

class RunsTest {
    private final Runs runs = new Runs(Duration.ofMinutes(1));
    private final UntilStopped untilStopped = new UntilStopped();

    @Test
    void returnsTheStatus() throws Exception {
        untilStopped.stop();

        assertThat(runs.run(untilStopped)).isEqualTo(42);
    }

    @Test
    void theEndStopsWhatRunsAndWaitsForIt() throws Exception {
        CompletableFuture<Integer> status = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                status.complete(runs.run(untilStopped));
            } catch (InterruptedException | ExecutionException e) {
                status.completeExceptionally(e);
            }
        });
        caller.start();
        untilStopped.started.await();

        runs.end();

        assertThat(untilStopped.left).isTrue();
        assertThat(status.get(1, TimeUnit.MINUTES)).isEqualTo(42);
    }

    @Test
    void anInterruptStopsWhatRunsWithoutInterruptingIt() throws Exception {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                runs.run(untilStopped);
                thrown.complete(null);
            } catch (InterruptedException | ExecutionException e) {
                thrown.complete(e);
            }
        });
        caller.start();
        untilStopped.started.await();

        caller.interrupt();

        assertThat(thrown.get(1, TimeUnit.MINUTES)).isInstanceOf(InterruptedException.class);
        assertThat(untilStopped.left).isTrue();
    }

    @Test
    void tellsOfAFailure() {
        Run failing = new Run() {
            @Override
            public int run() throws PingFailedException {
                throw new PingFailedException("no");
            }

            @Override
            public void stop() {}
        };

        assertThatThrownBy(() -> runs.run(failing)).hasCauseInstanceOf(PingFailedException.class);
    }

    @Test
    void nothingRunsAfterTheEnd() {
        runs.end();

        assertThatThrownBy(() -> runs.run(untilStopped)).isInstanceOf(InterruptedException.class);
    }

    private static final class UntilStopped implements Run {
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch stopped = new CountDownLatch(1);
        private volatile boolean left;

        @Override
        public int run() throws InterruptedException {
            started.countDown();
            stopped.await();
            left = true;
            return 42;
        }

        @Override
        public void stop() {
            stopped.countDown();
        }
    }
}
