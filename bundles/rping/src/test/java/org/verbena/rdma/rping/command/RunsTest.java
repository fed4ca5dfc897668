package org.verbena.rdma.rping.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunsTest {
    private final Runs runs = new Runs();

    @Test
    void theEndInterruptsWhatRunsAndWaitsForIt() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                runs.run(() -> {
                    running.countDown();
                    return new CountDownLatch(1).await(1, TimeUnit.HOURS) ? 1 : 0;
                });
                interrupted.complete(false);
            } catch (InterruptedException e) {
                interrupted.complete(true);
            }
        });
        thread.start();
        running.await();

        runs.end(Duration.ofMinutes(1));

        assertThat(interrupted.get(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void theEndLeavesNoInterruptToAThreadThatIsDone() throws Exception {
        int status = runs.run(() -> {
            runs.end(Duration.ZERO);
            return 0;
        });

        assertThat(status).isZero();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void nothingRunsAfterTheEnd() {
        runs.end(Duration.ZERO);

        assertThatThrownBy(() -> runs.run(() -> 0)).isInstanceOf(InterruptedException.class);
    }
}
