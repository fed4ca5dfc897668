package org.verbena.rdma.provider.iwarp.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentSizeTest {
    @ParameterizedTest(name = "from {0} to {1} with an MTU of {2} frames have {3} bytes at most")
    @CsvSource({
        // The headers of IP and TCP, and the time stamps that TCP usually adds.
        "192.0.2.1,192.0.2.2,1500,1448",
        "2001:db8::1,2001:db8::2,1500,1428",
        "192.0.2.1,192.0.2.2,9000,8948",
        "2001:db8::1,2001:db8::2,1280,1208",
        // Within the machine it is the loopback interface that counts.
        "127.0.0.1,127.0.0.2,1500,65484",
        "192.0.2.1,192.0.2.1,1500,65484",
        "::1,::1,1500,65464",
        // Unknown, tiny, and more than a frame can have.
        "192.0.2.1,192.0.2.2,0,1448",
        "192.0.2.1,192.0.2.2,68,512",
        "192.0.2.1,192.0.2.2,1000000,65496"
    })
    void of(String local, String peer, int mtu, int bytes) throws Exception {
        assertThat(SegmentSize.of(InetAddress.getByName(local), InetAddress.getByName(peer), mtu))
                .isEqualTo(bytes);
    }
}
