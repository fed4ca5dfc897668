package org.verbena.rdma.provider.iwarp.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.Access;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.RawPeer;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;
import org.verbena.rdma.provider.iwarp.peer.TestDevice;
import org.verbena.rdma.spi.CounterSink;
import org.verbena.rdma.spi.ProviderListener;

/** What is counted on a device and on a connection. */
class CountersTest {
    /** The counters that are not zero, those that are told twice added up as core does. */
    private static Map<String, Long> counted(Consumer<CounterSink> reading) {
        Map<String, Long> counters = new TreeMap<>();
        reading.accept((name, value) -> counters.merge(name, value, Long::sum));
        counters.values().removeIf(value -> value == 0);
        return counters;
    }

    @Test
    @DisplayName("messages and bytes are counted by operation and direction, on the connection and on the device")
    void operations() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            Memory memory = pair.device().memory(200_000, EnumSet.allOf(Access.class));
            Side client = pair.client();
            for (int i = 0; i < 3; i++) {
                pair.server().receive(new Request(i).segment(memory));
            }
            client.send(new Request(1).segment(memory.region(), 0, 100));
            client.send(new Request(2).segment(memory.region(), 0, 150_000).write(memory.address(), memory.key()));
            client.send(new Request(3)
                    .segment(memory.region(), 0, 7)
                    .unsignaled()
                    .writeWithImmediate(memory.address(), memory.key(), 1));
            client.send(new Request(4).segment(memory.region(), 0, 120_000).read(memory.address(), memory.key()));
            client.send(new Request(5).segment(memory.region(), 0, 8).fetchAndAdd(memory.address(), memory.key(), 1));
            client.send(new Request(6).sendWithImmediate(1));
            client.sends().next(5);
            pair.server().receives().next(3);

            Map<String, Long> out = Map.of(
                    "messages.send.out", 2L,
                    "bytes.send.out", 100L,
                    "messages.write.out", 2L,
                    "bytes.write.out", 150_007L,
                    "messages.read.out", 1L,
                    "bytes.read.out", 120_000L,
                    "messages.atomic.out", 1L,
                    "bytes.atomic.out", 8L);
            Map<String, Long> in = new TreeMap<>();
            out.forEach((name, value) -> in.put(name.replace("out", "in"), value));
            // The read by which the peer is asked for immediate data and atomics.
            in.put("messages.read.in", 2L);
            assertThat(counted(client.queuePair()::readCounters)).isEqualTo(new TreeMap<>(out));
            assertThat(counted(pair.server().queuePair()::readCounters)).isEqualTo(in);
            assertThat(counted(pair.device().device()::readCounters))
                    .containsAllEntriesOf(out)
                    .containsAllEntriesOf(in)
                    .containsEntry("connections.established", 2L)
                    .hasSize(17);
        }
    }

    @Test
    @DisplayName("CRC errors, Terminates both ways and failed handshakes are counted, until the device is opened anew")
    void errors() throws Exception {
        try (TestDevice device = new TestDevice(Settings.DEFAULTS.withCrc(CrcPolicy.REQUIRED));
                ProviderListenerCloser listener = new ProviderListenerCloser(device.listen("127.0.0.1", 0))) {
            for (String what : new String[] {"wrong CRC", "Terminate", "odd Terminate"}) {
                try (RawPeer peer =
                        RawPeer.connect(listener.listener().localAddress()).withCrc(true)) {
                    peer.write(RawPeer.request(0x5002, new byte[] {0, 4, 0, 4}));
                    TestDevice.Asked asked = device.nextRequest();
                    try (Side side = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS)) {
                        side.endpoint().accept(asked.parameters());
                        side.events().next("established");
                        peer.readSetup();
                        switch (what) {
                            case "wrong CRC" -> peer.write(new byte[100]);
                            case "Terminate" -> peer.send(terminate(0x1202));
                            default -> peer.send(terminate(0x7777));
                        }
                        side.events().next("disconnected");
                        if (what.equals("wrong CRC")) {
                            assertThat(counted(side.queuePair()::readCounters))
                                    .isEqualTo(Map.of("errors.crc", 1L, "terminates.out.llp.0.2", 1L));
                        }
                    }
                }
            }
            try (RawPeer peer = RawPeer.connect(listener.listener().localAddress())) {
                peer.write(new byte[20]);
                peer.readToEnd();
            }
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(counted(device.device()::readCounters))
                            .isEqualTo(Map.of(
                                    "connections.established", 3L,
                                    "errors.crc", 1L,
                                    "errors.handshake", 1L,
                                    "terminates.in.ddp.2.2", 1L,
                                    "terminates.in.unknown", 1L,
                                    "terminates.out.llp.0.2", 1L)));
        }
        try (TestDevice device = new TestDevice(Settings.DEFAULTS)) {
            device.reopen();
            assertThat(counted(device.device()::readCounters)).isEmpty();
        }
    }

    private record ProviderListenerCloser(ProviderListener listener) implements AutoCloseable {
        @Override
        public void close() {
            listener.close();
        }
    }

    private static byte[] terminate(int code) {
        return RawPeer.untagged(0x41, 0x47, 0, 2, 1, 0, new byte[] {(byte) (code >> 8), (byte) code, 0, 0});
    }
}
