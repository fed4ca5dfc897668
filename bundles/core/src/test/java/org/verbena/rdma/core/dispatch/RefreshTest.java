package org.verbena.rdma.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RefreshTest {
    @Test
    @DisplayName("who asks while it is being done does not wait, and it is done once more")
    void isDoneOnceMore() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        Refresh refresh = new Refresh(() -> {
            inside.countDown();
            await(release);
            done.incrementAndGet();
        });
        Thread first = new Thread(refresh::ask);
        first.start();
        inside.await();

        refresh.ask();
        refresh.ask();

        assertThat(done).hasValue(0);
        release.countDown();
        first.join();
        assertThat(done).hasValue(2);
    }

    @Test
    @DisplayName("after work that has thrown it can be asked for again")
    void survivesAThrow() {
        AtomicInteger done = new AtomicInteger();
        Refresh refresh = new Refresh(() -> {
            if (done.incrementAndGet() == 1) {
                throw new IllegalStateException("the first time");
            }
        });

        assertThatThrownBy(refresh::ask).hasMessage("the first time");
        refresh.ask();

        assertThat(done).hasValue(2);
    }

    @Test
    @DisplayName("after work that has thrown a checked exception, which it does not declare, it can be asked for again")
    void survivesACheckedException() {
        AtomicInteger done = new AtomicInteger();
        Refresh refresh = new Refresh(() -> {
            if (done.incrementAndGet() == 1) {
                RefreshTest.<RuntimeException>undeclared(new java.io.IOException("the first time"));
            }
        });

        assertThatThrownBy(refresh::ask).isInstanceOf(java.io.IOException.class);
        refresh.ask();

        assertThat(done).hasValue(2);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void undeclared(Throwable failure) throws T {
        throw (T) failure;
    }

    @Test
    @DisplayName("who asks while the work fails is not forgotten")
    void keepsWhoAsksDuringAFailure() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        AtomicInteger thrown = new AtomicInteger();
        Refresh refresh = new Refresh(() -> {
            inside.countDown();
            await(release);
            if (done.incrementAndGet() == 1) {
                throw new OutOfMemoryError("the first time");
            }
        });
        Thread first = new Thread(() -> {
            try {
                refresh.ask();
            } catch (OutOfMemoryError onPurpose) {
                thrown.incrementAndGet();
            }
        });
        first.start();
        inside.await();

        refresh.ask();
        release.countDown();
        first.join();

        assertThat(done).hasValue(2);
        assertThat(thrown).hasValue(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
