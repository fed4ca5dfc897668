package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.peer.Completion;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;

class DataPathTest {
    @ParameterizedTest(name = "send, write and read carry data at {0}, CRC {1}")
    @CsvSource({"127.0.0.1,OFF", "127.0.0.1,REQUIRED", "::1,OFF", "::1,PREFERRED"})
    void allKinds(String address, CrcPolicy crc) throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS.withCrc(crc), address, Side.Sizes.DEFAULTS)) {
            Memory source = pair.device().memory(300_000).fill(1);
            Memory sink = pair.device().memory(300_000);

            pair.server().receive(new Request(7).segment(sink));
            pair.client().send(new Request(8).segment(source));
            Completion sent = pair.client().sends().next();
            Completion received = pair.server().receives().next();

            assertThat(sent.id()).isEqualTo(8);
            assertThat(sent.status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(received.id()).isEqualTo(7);
            assertThat(received.bytes()).isEqualTo(300_000);
            assertThat(received.operation()).isEqualTo(WorkCompletionOperation.RECEIVE);
            assertThat(sink.bytes()).isEqualTo(source.bytes());

            Memory target = pair.device().memory(300_000);
            pair.server().send(new Request(9).segment(source).write(target.address(), target.key()));
            pair.client().receive(new Request(10));
            pair.server().send(new Request(11));
            assertThat(pair.server().sends().next(2)).extracting(Completion::id).containsExactly(9L, 11L);
            assertThat(pair.client().receives().next().bytes()).isZero();
            assertThat(target.bytes()).isEqualTo(source.bytes());

            Memory read = pair.device().memory(300_000);
            pair.client().send(new Request(12).segment(read).read(target.address(), target.key()));
            Completion done = pair.client().sends().next();
            assertThat(done.operation()).isEqualTo(WorkCompletionOperation.READ);
            assertThat(done.bytes()).isEqualTo(300_000);
            assertThat(read.bytes()).isEqualTo(source.bytes());

            pair.client().endpoint().disconnect();
            assertThat(pair.client().events().next("disconnected").error()).isEqualTo(RdmaError.SUCCESS);
            assertThat(pair.server().events().next("disconnected").error()).isEqualTo(RdmaError.SUCCESS);
        }
    }
}
