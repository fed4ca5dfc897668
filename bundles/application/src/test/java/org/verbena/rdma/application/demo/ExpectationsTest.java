package org.verbena.rdma.application.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExpectationsTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Expectations expect = new Expectations(new PrintStream(printed, true, UTF_8), Duration.ofMillis(100));

    @Test
    void whatIsSoIsCounted() throws Exception {
        expect.now("this", true);
        expect.soon("that", () -> true);

        assertThat(expect.seen()).isEqualTo(2);
        assertThat(printed.toString(UTF_8).lines()).containsExactly("   seen: this", "   seen: that");
    }

    @Test
    void whatBecomesSoIsWaitedFor() throws Exception {
        Iterator<Optional<String>> glances = List.of(
                        Optional.<String>empty(), Optional.<String>empty(), Optional.of("it"))
                .iterator();

        assertThat(expect.soonPresent("it", glances::next)).isEqualTo("it");
    }

    @Test
    void whatIsNotSoEndsTheDemo() {
        assertThatThrownBy(() -> expect.now("this", false))
                .isInstanceOf(DemoFailedException.class)
                .hasMessage("not seen: this");
        assertThatThrownBy(() -> expect.soon("that", () -> false))
                .isInstanceOf(DemoFailedException.class)
                .hasMessageEndingWith(": that");
        assertThat(expect.seen()).isZero();
        assertThat(printed.toString(UTF_8)).isEmpty();
    }
}
