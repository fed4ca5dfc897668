package org.verbena.rdma.rping.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PingDataTest {
    @Test
    void isTheTextThenCharactersFromAToZInACircleThenZero() {
        ByteBuffer data = filled(100, 0);

        // As the C program prints it with -v.
        assertThat(PingData.text(data, 100))
                .isEqualTo("rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz"
                        + "ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\");
        assertThat(data.get(99)).isZero();
    }

    @Test
    void startsOneCharacterFurtherWithEachPing() {
        assertThat(PingData.text(filled(23, 1), 23)).isEqualTo("rdma-ping-1: BCDEFGHIJ");
        assertThat(PingData.text(filled(23, 57), 23)).isEqualTo("rdma-ping-57: zABCDEFG");
        assertThat(PingData.text(filled(23, 58), 23)).isEqualTo("rdma-ping-58: ABCDEFGH");
    }

    @Test
    void theLeastSizeHoldsTheGreatestNumber() {
        assertThat(PingData.text(filled(PingData.MIN_SIZE, Integer.MAX_VALUE), PingData.MIN_SIZE))
                .isEqualTo("rdma-ping-2147483647: ");
    }

    @ParameterizedTest
    @ValueSource(ints = {PingData.MIN_SIZE, PingData.DEFAULT_SIZE, PingData.MAX_SIZE})
    void isOneCharacterShorterThanTheBuffer(int size) {
        assertThat(PingData.text(filled(size, 3), size)).hasSize(size - 1);
    }

    @Test
    void textEndsWithTheBytesThatCounted() {
        assertThat(PingData.text(filled(100, 0), 11)).isEqualTo("rdma-ping-0");
    }

    private static ByteBuffer filled(int size, int ping) {
        ByteBuffer data = ByteBuffer.allocateDirect(size);
        PingData.fill(data, ping);
        return data;
    }
}
