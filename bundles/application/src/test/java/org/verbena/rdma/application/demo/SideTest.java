package org.verbena.rdma.application.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.rping.Rping;

class SideTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, UTF_8);

    @Test
    void countsPingsAndKeepsWhatTheFirstHaveCarried() {
        Side side = start((arguments, stdout, stderr) -> {
            for (int ping = 0; ping < 50; ping++) {
                stdout.println("ping data: rdma-ping-" + ping);
            }
            stderr.println("rping: so much for that");
            return 1;
        });
        await().until(() -> !side.running());

        assertThat(side.pings()).isEqualTo(50);
        assertThat(side.data()).hasSize(10).startsWith("rdma-ping-0", "rdma-ping-1");
        assertThat(side.status()).contains(1);
        assertThat(side.line("so much")).contains("rping: so much for that");
        assertThat(printed.toString(UTF_8).lines())
                .containsExactly(
                        "   client $ rping -c",
                        "   client | ping data: rdma-ping-0",
                        "   client | ping data: rdma-ping-1",
                        "   client | ...",
                        "   client | rping: so much for that");
    }

    @Test
    void isStopped() {
        Side side = start((arguments, stdout, stderr) -> {
            new CountDownLatch(1).await();
            return 0;
        });
        assertThat(side.status()).isEqualTo(Optional.empty());

        side.stop();

        await().until(() -> !side.running());
    }

    private Side start(Rping rping) {
        return Side.start("client", out, rping, List.of("-c"));
    }
}
