package org.verbena.rdma.provider.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.loopback.fake.Pair;
import org.verbena.rdma.provider.loopback.fake.Side;
import org.verbena.rdma.provider.loopback.fake.Work;
import org.verbena.rdma.spi.CounterSink;

class CountersTest {
    private final Pair pair = connected();
    private final Side client = pair.client();
    private final Side server = pair.server();

    private static Pair connected() {
        try {
            return Pair.connected();
        } catch (RdmaException e) {
            throw new AssertionError(e);
        }
    }

    /** The counters that are not zero. */
    private static Map<String, Long> counted(Consumer<CounterSink> reading) {
        Map<String, Long> counters = new LinkedHashMap<>();
        reading.accept((name, value) -> {
            if (value != 0) {
                counters.put(name, value);
            }
        });
        return counters;
    }

    @Test
    void countsOperationsOnBothSides() throws Exception {
        long address = server.region().remoteAddress();
        int key = server.region().remoteKey();
        server.queuePair().postReceive(Work.receive(1).segment(server.region(), 0, 10));
        client.queuePair().postSend(Work.send(2).segment(client.region(), 0, 7));
        client.queuePair().postSend(Work.write(3, address, key).segment(client.region(), 0, 20));
        client.queuePair().postSend(Work.read(4, address, key).segment(client.region(), 0, 30));

        assertThat(counted(client.queuePair()::readCounters))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "messages.send.out", 1L,
                        "bytes.send.out", 7L,
                        "messages.write.out", 1L,
                        "bytes.write.out", 20L,
                        "messages.read.out", 1L,
                        "bytes.read.out", 30L));
        Map<String, Long> ofServer = Map.of(
                "messages.send.in", 1L,
                "bytes.send.in", 7L,
                "messages.write.in", 1L,
                "bytes.write.in", 20L,
                "messages.read.in", 1L,
                "bytes.read.in", 30L);
        assertThat(counted(server.queuePair()::readCounters)).containsExactlyInAnyOrderEntriesOf(ofServer);
        assertThat(counted(server.device()::readCounters))
                .containsAllEntriesOf(ofServer)
                .containsEntry("connections.established", 1L);
    }

    @Test
    void whatHasFailedIsNotCounted() throws Exception {
        client.queuePair().postSend(Work.write(1, 1, 1).segment(client.region(), 0, 20));
        assertThat(counted(client.queuePair()::readCounters)).isEmpty();
    }

    @Test
    void aDeviceKeepsTheCountersOfClosedQueuePairsUntilItIsOpenedAgain() throws Exception {
        server.queuePair().postReceive(Work.receive(1).segment(server.region(), 0, 10));
        client.queuePair().postSend(Work.send(2).segment(client.region(), 0, 7));
        client.close();
        assertThat(counted(client.device()::readCounters)).containsEntry("bytes.send.out", 7L);

        client.device().close();
        client.device().open(pair.core().deviceUpcalls());
        assertThat(counted(client.device()::readCounters)).isEmpty();
    }
}
