package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.RawPeer;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;
import org.verbena.rdma.provider.iwarp.peer.TestDevice;
import org.verbena.rdma.provider.iwarp.wire.Marker;
import org.verbena.rdma.spi.ProviderListener;

/** A peer that asks for markers gets them, at every 512th octet from the first on, with the right pointers and CRCs. */
class MarkersTest {
    @ParameterizedTest(name = "sends, writes and answers of all lengths carry markers to the connecting peer, CRC {0}")
    @ValueSource(booleans = {false, true})
    void toInitiator(boolean crc) throws Exception {
        try (TestDevice device =
                new TestDevice(Settings.DEFAULTS.withCrc(CrcPolicy.OFF).withSegmentBytes(1460))) {
            ProviderListener listener = device.listen("127.0.0.1", 0);
            try (RawPeer peer = RawPeer.connect(listener.localAddress()).withCrc(crc)) {
                peer.write(RawPeer.request(crc ? 0xD002 : 0x9002, new byte[] {0, 4, 0, 4}));
                TestDevice.Asked asked = device.nextRequest();
                try (Side side = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS)) {
                    side.endpoint().accept(asked.parameters());
                    side.events().next("established");
                    peer.readSetup();
                    peer.withMarkers();
                    peer.send(RawPeer.write(0, 0, new byte[0]));
                    check(peer, side);

                    peer.send(new byte[0]);
                    assertThat(peer.readTerminate().text()).isEqualTo("0/2/7");
                }
            }
            listener.close();
        }
    }

    @ParameterizedTest(name = "the same to a peer that this side connects to, CRC {0}")
    @ValueSource(booleans = {false, true})
    void toResponder(boolean crc) throws Exception {
        try (TestDevice device =
                        new TestDevice(Settings.DEFAULTS.withCrc(CrcPolicy.OFF).withSegmentBytes(1460));
                ServerSocket server = new ServerSocket(0, 4, InetAddress.getLoopbackAddress());
                Side side = device.connecting(
                        (InetSocketAddress) server.getLocalSocketAddress(), TestDevice.parameters(""));
                RawPeer peer = RawPeer.accept(server).withCrc(crc)) {
            peer.readSetup();
            peer.write(RawPeer.reply(crc ? 0xD002 : 0x9002, new byte[] {0, 4, 0, 4}));
            side.events().next("established");
            peer.withMarkers();
            check(peer, side);
        }
    }

    private static void check(RawPeer peer, Side side) throws Exception {
        Memory source = side.device().memory(20_000).fill(1);
        int sequence = 1;
        for (int length = 0; length < 1_100; length += length < 40 ? 1 : 37) {
            side.send(new Request(1).segment(source.region(), 3, length));
            assertThat(payload(peer, 18)).isEqualTo(source.bytes(3, length));
            assertThat(side.sends().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        }
        side.send(new Request(1).segment(source).write(5, 6));
        assertThat(payload(peer, 14)).isEqualTo(source.bytes());
        side.sends().next();
        peer.send(RawPeer.readRequest(sequence, 8, 9, 20_000, source.key(), source.address()));
        assertThat(payload(peer, 14)).isEqualTo(source.bytes());
    }

    private static byte[] payload(RawPeer peer, int header) throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (true) {
            long start = peer.markedPosition();
            byte[] ulpdu = peer.read();
            all.write(ulpdu, header, ulpdu.length - header);
            // A frame fits into a segment, its markers included (RFC 5044, section 4.3).
            assertThat(peer.markedPosition() - start).isBetween(1L, 1460L);
            if ((ulpdu[0] & 0x40) != 0) {
                return all.toByteArray();
            }
        }
    }

    @ParameterizedTest(name = "RFC 5044, section 4.3: a frame of 600 bytes at {0} octets of the stream")
    @ValueSource(ints = {0, 4, 256, 508, 512, 1020})
    void layout(int offset) {
        ByteBuffer frame = ByteBuffer.allocate(600);
        for (int i = 0; i < 600; i++) {
            frame.put(i, (byte) (i | 1));
        }
        ByteBuffer into = ByteBuffer.allocate(700);
        int bytes = new MarkedFrame().put(frame, 600, into, 0, offset, false);

        int at = 0;
        int length = offset % 512 == 0 ? 4 : 0;
        int copied = 0;
        while (copied < 600) {
            if ((offset + at) % 512 == 0) {
                assertThat(into.getInt(at)).isEqualTo(at < length ? 0 : at - length);
                at += Marker.BYTES;
            }
            assertThat(into.get(at++)).isEqualTo((byte) (copied++ | 1));
        }
        at += (offset + at) % 512 == 0 ? Marker.BYTES : 0;
        assertThat(into.getInt(at)).isZero();
        assertThat(bytes).isEqualTo(at + 4);
    }
}
