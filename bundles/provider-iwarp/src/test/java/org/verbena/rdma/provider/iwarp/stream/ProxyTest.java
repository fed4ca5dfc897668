package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.peer.CuttingProxy;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;
import org.verbena.rdma.provider.iwarp.peer.TestDevice;
import org.verbena.rdma.spi.ProviderListener;

/** Java to Java, with a proxy between that cuts the stream into other pieces, handshake and end included. */
class ProxyTest {
    static Stream<Arguments> cuts() {
        Random random = new Random(7);
        return Stream.of(
                Arguments.of("single bytes", (IntSupplier) () -> 1, 2_000),
                Arguments.of("pieces of 3 bytes", (IntSupplier) () -> 3, 6_000),
                Arguments.of("pieces of up to 50 bytes", (IntSupplier) () -> 1 + random.nextInt(50), 50_000),
                Arguments.of("pieces of up to 5000 bytes", (IntSupplier) () -> 1 + random.nextInt(5_000), 500_000),
                Arguments.of("pieces joined", (IntSupplier) () -> 100_000, 500_000));
    }

    @ParameterizedTest(name = "a session in {0} arrives whole")
    @MethodSource("cuts")
    void arrivesWhole(String what, IntSupplier pieces, int length) throws Exception {
        for (CrcPolicy crc : CrcPolicy.values()) {
            try (TestDevice device =
                    new TestDevice(Settings.DEFAULTS.withCrc(crc).withPeerToPeer())) {
                ProviderListener listener = device.listen("127.0.0.1", 0);
                try (CuttingProxy proxy = new CuttingProxy(listener.localAddress(), pieces)) {
                    Pair pair = Pair.connect(device, listener, proxy.address(), Side.Sizes.DEFAULTS);
                    session(pair, length);
                    pair.client().close();
                    pair.server().close();
                }
                listener.close();
            }
        }
    }

    private static void session(Pair pair, int length) throws Exception {
        Memory source = pair.device().memory(length).fill(1);
        Memory received = pair.device().memory(length);
        Memory written = pair.device().memory(length);
        Memory read = pair.device().memory(length);
        pair.server().receive(new Request(1).segment(received));
        pair.client().send(new Request(2).segment(source).write(written.address(), written.key()));
        pair.client().send(new Request(3).segment(read).read(source.address(), source.key()));
        pair.client().send(new Request(4).segment(source).solicited());
        assertThat(pair.client().sends().next(3))
                .allMatch(completion -> completion.status() == WorkCompletionStatus.SUCCESS);
        assertThat(pair.server().receives().next().bytes()).isEqualTo(length);
        assertThat(received.bytes()).isEqualTo(source.bytes());
        assertThat(written.bytes()).isEqualTo(source.bytes());
        assertThat(read.bytes()).isEqualTo(source.bytes());
        pair.client().endpoint().disconnect();
        assertThat(pair.client().events().next("disconnected").error()).isEqualTo(RdmaError.SUCCESS);
        assertThat(pair.server().events().next("disconnected").error()).isEqualTo(RdmaError.SUCCESS);
    }
}
