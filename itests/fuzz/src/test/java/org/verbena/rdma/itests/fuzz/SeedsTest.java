package org.verbena.rdma.itests.fuzz;

import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The targets without Jazzer: on any JDK, with what the fuzzer starts from, and some changes of it. */
class SeedsTest {
    private static final int CHANGES = 20;
    private final Random random = new Random(5044);

    private byte[] changed(byte[] seed) {
        byte[] copy = seed.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            copy[random.nextInt(copy.length)] = (byte) random.nextInt();
        }
        return copy;
    }

    @Test
    @DisplayName("what the handshake's fuzzer starts from does no harm, changed here and there neither")
    void handshake() throws Exception {
        for (byte[] seed : Seeds.handshakes()) {
            HandshakeTarget.fuzzerTestOneInput(seed);
            for (int i = 0; i < CHANGES; i++) {
                HandshakeTarget.fuzzerTestOneInput(changed(seed));
            }
        }
    }

    @Test
    @DisplayName("what the stream's fuzzer starts from does no harm, changed here and there neither")
    void stream() {
        for (byte[] seed : Seeds.streams()) {
            StreamTarget.fuzzerTestOneInput(seed);
            for (int i = 0; i < CHANGES; i++) {
                StreamTarget.fuzzerTestOneInput(changed(seed));
            }
        }
    }
}
