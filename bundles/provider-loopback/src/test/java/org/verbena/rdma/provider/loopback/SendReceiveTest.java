package org.verbena.rdma.provider.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.verbena.rdma.provider.loopback.fake.Pair;
import org.verbena.rdma.provider.loopback.fake.Side;
import org.verbena.rdma.provider.loopback.fake.Work;

class SendReceiveTest {

    @Test
    void aSendFillsAReceive() throws Exception {
        Pair pair = Pair.connected();
        Side client = pair.client();
        Side server = pair.server();
        client.buffer().put(3, (byte) 42);

        server.queuePair().postReceive(Work.receive(1).segment(server.region(), 100, 10));
        client.queuePair().postSend(Work.send(2).segment(client.region(), 3, 1));

        assertThat(server.buffer().get(100)).isEqualTo((byte) 42);
        assertThat(server.received()).containsExactly("1 SUCCESS RECEIVE");
        assertThat(client.sent()).containsExactly("2 SUCCESS SEND");
    }
}
