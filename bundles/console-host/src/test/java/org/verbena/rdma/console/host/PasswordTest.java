package org.verbena.rdma.console.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.console.host.Password.Outcome;

class PasswordTest {
    private final AtomicLong now = new AtomicLong();
    private final Password password = new Password("correct horse", now::get);

    @Test
    void takesTheRightOneOnly() {
        assertThat(password.guess("correct horse")).isEqualTo(Outcome.RIGHT);
        assertThat(password.guess("correct hors")).isEqualTo(Outcome.WRONG);
        assertThat(password.guess("")).isEqualTo(Outcome.WRONG);
        assertThat(password.guess(null)).isEqualTo(Outcome.WRONG);
    }

    @Test
    void afterTooManyGuessesNotEvenTheRightOneHelpsUntilAMinuteHasGone() {
        for (int i = 0; i < 10; i++) {
            assertThat(password.guess("guess " + i)).isEqualTo(Outcome.WRONG);
        }
        assertThat(password.guess("correct horse")).isEqualTo(Outcome.TOO_MANY);

        now.addAndGet(Duration.ofSeconds(61).toNanos());
        assertThat(password.guess("correct horse")).isEqualTo(Outcome.RIGHT);
    }

    @Test
    void thereIsNoneByDefaultAndNoShortOne() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Password(null, now::get));
        assertThatIllegalArgumentException().isThrownBy(() -> new Password("1234567", now::get));
    }
}
