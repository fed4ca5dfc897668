package org.verbena.rdma.rping.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class AdvertisementTest {
    private static final Advertisement SOME = new Advertisement(0x8102_0304_0506_0708L, 0x8001_0203, 0xFFFF_FFF0L);
    private static final String WIRE = "8102030405060708" + "80010203" + "fffffff0";

    @Test
    void goesOverTheWireAs16BytesBigEndian() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(Advertisement.LENGTH);

        SOME.write(buffer);

        byte[] bytes = new byte[Advertisement.LENGTH];
        buffer.get(0, bytes);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(WIRE);
    }

    @Test
    void isReadWithTheSizeUnsigned() {
        assertThat(Advertisement.read(ByteBuffer.wrap(HexFormat.of().parseHex(WIRE))))
                .isEqualTo(SOME);
    }

    @Test
    void neitherReadingNorWritingMovesTheBuffer() {
        ByteBuffer buffer = ByteBuffer.allocate(Advertisement.LENGTH);

        SOME.write(buffer);
        Advertisement.read(buffer);

        assertThat(buffer.position()).isZero();
    }
}
