package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;

/** Memory that is closed in the middle of a transfer is left alone from the moment that close returns. */
class RegionCloseTest {
    private static final int SIZE = 2 << 20;
    private static final int ROUNDS = 12;
    private static final byte[] LATER_BYTES = new byte[SIZE];

    static {
        Arrays.fill(LATER_BYTES, (byte) 0xFF);
    }

    private static void waitALittle() {
        long end = System.nanoTime() + ThreadLocalRandom.current().nextInt(2_000_000);
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest(name = "C19: memory that the peer writes to is not touched after its close, CRC {0}")
    @EnumSource(names = {"OFF", "REQUIRED"})
    void target(CrcPolicy crc) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (Pair pair = Pair.connect(Settings.DEFAULTS.withCrc(crc))) {
                Memory source = pair.device().memory(SIZE).fill(round);
                Memory target = pair.device().memory(SIZE);
                for (int i = 0; i < 8; i++) {
                    pair.client().send(new Request(i).segment(source).write(target.address(), target.key()));
                }
                waitALittle();
                target.region().close();
                target.buffer().put(0, LATER_BYTES);
                // On a busy machine all others may have been there before the close.
                pair.client().send(new Request(8).segment(source).write(target.address(), target.key()));
                pair.client().events().next("disconnected");
                pair.server().events().next("disconnected");

                assertThat(Arrays.equals(target.bytes(), LATER_BYTES)).isTrue();
            }
        }
    }

    @ParameterizedTest(name = "C19: memory that is being sent is not read after its close, CRC {0}")
    @EnumSource(names = {"OFF", "REQUIRED"})
    void source(CrcPolicy crc) throws Exception {
        byte[] nothing = new byte[SIZE];
        for (int round = 0; round < ROUNDS; round++) {
            try (Pair pair = Pair.connect(Settings.DEFAULTS.withCrc(crc))) {
                Memory source = pair.device().memory(SIZE);
                Memory target = pair.device().memory(SIZE);
                for (int i = 0; i < 8; i++) {
                    pair.client().send(new Request(i).segment(source).write(target.address(), target.key()));
                }
                waitALittle();
                source.region().close();
                source.buffer().put(0, LATER_BYTES);
                pair.client().sends().next(8);
                pair.client().queuePair().fail();
                pair.client().events().next("disconnected");
                pair.server().events().next("disconnected");

                assertThat(Arrays.equals(target.bytes(), nothing)).isTrue();
            }
        }
    }

    @ParameterizedTest(name = "C19: memory that the peer reads is not read after its close, CRC {0}")
    @EnumSource(names = {"OFF", "REQUIRED"})
    void readSource(CrcPolicy crc) throws Exception {
        byte[] nothing = new byte[SIZE];
        for (int round = 0; round < ROUNDS; round++) {
            try (Pair pair = Pair.connect(Settings.DEFAULTS.withCrc(crc))) {
                Memory source = pair.device().memory(SIZE);
                Memory sink = pair.device().memory(SIZE);
                for (int i = 0; i < 8; i++) {
                    pair.client().send(new Request(i).segment(sink).read(source.address(), source.key()));
                }
                waitALittle();
                source.region().close();
                source.buffer().put(0, LATER_BYTES);
                pair.client().sends().next(8);
                pair.client().queuePair().fail();
                pair.client().events().next("disconnected");

                assertThat(Arrays.equals(sink.bytes(), nothing)).isTrue();
            }
        }
    }

    @Test
    @DisplayName("C19: the sink of a read is not touched after its close")
    void readSink() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (Pair pair = Pair.connect(Settings.DEFAULTS.withCrc(CrcPolicy.OFF))) {
                Memory source = pair.device().memory(SIZE).fill(1);
                Memory sink = pair.device().memory(SIZE);
                for (int i = 0; i < 8; i++) {
                    pair.client().send(new Request(i).segment(sink).read(source.address(), source.key()));
                }
                waitALittle();
                sink.region().close();
                sink.buffer().put(0, LATER_BYTES);
                pair.client().sends().next(8);

                assertThat(Arrays.equals(sink.bytes(), LATER_BYTES)).isTrue();
            }
        }
    }

    @Test
    @DisplayName("C19: a queue pair that is closed in mid-transfer touches no memory any more")
    void queuePair() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (Pair pair = Pair.connect(Settings.DEFAULTS.withCrc(CrcPolicy.OFF))) {
                Memory source = pair.device().memory(SIZE).fill(1);
                Memory sink = pair.device().memory(SIZE);
                for (int i = 0; i < 4; i++) {
                    pair.server().receive(new Request(i).segment(sink));
                    pair.client().send(new Request(i).segment(source));
                }
                waitALittle();
                pair.server().closeQueuePair();
                sink.buffer().put(0, LATER_BYTES);
                assertThat(pair.server().receives().poll()).hasSize(4);
                pair.client().events().next("disconnected");

                assertThat(Arrays.equals(sink.bytes(), LATER_BYTES)).isTrue();
            }
        }
    }
}
