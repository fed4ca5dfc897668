package org.verbena.rdma.provider.iwarp.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.RawPeer;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;
import org.verbena.rdma.provider.iwarp.peer.TestDevice;
import org.verbena.rdma.spi.ProviderListener;

/** Many peers at once, slow ones and hostile ones among them. */
class ManyPeersTest {
    @TempDir
    private Path folder;

    private final List<RawPeer> peers = new ArrayList<>();
    private final List<Side> sides = new ArrayList<>();
    private TestDevice device;
    private ProviderListener listener;

    @BeforeEach
    void listen() throws Exception {
        device = new TestDevice(Settings.DEFAULTS.withCrc(CrcPolicy.OFF).withMaxHandshakes(64));
        // With less, TCP makes peers of a busy machine wait for a second now and then.
        listener = device.listen("127.0.0.1", 0, 4_096);
    }

    @AfterEach
    void close() throws IOException {
        for (RawPeer peer : peers) {
            peer.close();
        }
        sides.forEach(Side::close);
        listener.close();
        device.close();
    }

    private void establish(int count, boolean crc) throws Exception {
        for (int i = 0; i < count; i++) {
            RawPeer peer = RawPeer.connect(listener.localAddress()).withCrc(crc);
            peers.add(peer);
            peer.write(RawPeer.request(crc ? 0x5002 : 0x1002, new byte[] {0, 4, 0, 4}));
            TestDevice.Asked asked = device.nextRequest();
            Side side = new Side(device, asked.endpoint(), asked.events(), new Side.Sizes(4, 4, 2, 16, null));
            sides.add(side);
            side.endpoint().accept(asked.parameters());
            side.events().next("established");
            peer.readSetup();
        }
    }

    @Test
    @DisplayName("more streams than may keep a buffer each have half a frame with CRC, and get the other half")
    void halfFrames() throws Exception {
        establish(100, true);
        Memory sink = device.memory(100 * 5_000);
        byte[][] frames = new byte[100][];
        for (int i = 0; i < 100; i++) {
            sides.get(i).receive(new Request(i).segment(sink.region(), i * 5_000L, 5_000));
            byte[] payload = new byte[5_000];
            Arrays.fill(payload, (byte) i);
            frames[i] = peers.get(i).frame(RawPeer.send(1, payload));
            peers.get(i).write(Arrays.copyOf(frames[i], 2_600));
        }
        for (int i = 99; i >= 0; i--) {
            peers.get(i).write(Arrays.copyOfRange(frames[i], 2_600, frames[i].length));
        }
        for (int i = 0; i < 100; i++) {
            assertThat(sides.get(i).receives().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(sink.bytes(i * 5_000, 5_000)).containsOnly((byte) i);
        }
    }

    @Test
    @DisplayName("a hostile peer's fault ends its own connection, the others do not notice")
    void othersDoNotNotice() throws Exception {
        establish(10, false);
        for (int i = 0; i < 10; i += 2) {
            peers.get(i).send(RawPeer.write(1, 2, new byte[10]));
        }
        for (int i = 0; i < 10; i += 2) {
            sides.get(i).events().next("disconnected");
        }
        for (int i = 1; i < 10; i += 2) {
            sides.get(i).receive(new Request(1));
            peers.get(i).send(RawPeer.send(1, new byte[0]));
            assertThat(sides.get(i).receives().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(sides.get(i).events().isEmpty()).isTrue();
        }
    }

    private static long directMemory() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    @Test
    @DisplayName("peers that ask for much and read nothing cost a batch each, not what they have asked for")
    void readNothing() throws Exception {
        int count = 100;
        Memory source = device.memory(8 << 20);
        establish(count, true);
        long before = directMemory();
        for (RawPeer peer : peers) {
            for (int i = 1; i <= 4; i++) {
                peer.send(RawPeer.readRequest(i, 1, 0, 8 << 20, source.key(), source.address()));
            }
        }
        for (Side side : sides) {
            side.receive(new Request(1));
        }
        for (RawPeer peer : peers) {
            peer.send(RawPeer.send(1, new byte[0]));
        }
        // When this has come the reads before it have been seen.
        for (Side side : sides) {
            assertThat(side.receives().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        }

        // 3.2 GB were asked for. Beside batches there are a few buffers per loop, and those of system calls.
        assertThat(directMemory() - before).isLessThan(count * (64L << 10) + (32L << 20));
    }

    @Test
    @DisplayName("thousands of half-open connections do not keep out one that speaks, and hold up no traffic")
    void halfOpen() throws Exception {
        Pair pair = Pair.connect(device, listener, listener.localAddress(), Side.Sizes.DEFAULTS);
        sides.add(pair.client());
        sides.add(pair.server());
        byte[] request = RawPeer.request(0x1002, new byte[] {0, 1, 0, 1});
        for (int i = 0; i < 4_000; i++) {
            RawPeer peer = RawPeer.connect(listener.localAddress());
            peers.add(peer);
            try {
                peer.write(Arrays.copyOf(request, i % request.length));
            } catch (IOException e) {
                // It had to make room already.
            }
            if (i % 400 == 0) {
                pair.server().receive(new Request(1));
                pair.client().send(new Request(2));
                pair.server().receives().next();
                pair.client().sends().next();
            }
        }

        Pair late = Pair.connect(device, listener, listener.localAddress(), Side.Sizes.DEFAULTS);
        late.client().close();
        late.server().close();
        assertThat(device.hasRequest()).isFalse();
    }

    @Test
    @DisplayName("peers that say nothing keep nobody out, even if they take all descriptors that the process may have")
    void noDescriptors() throws Exception {
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n 200 && exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FewDescriptors.class.getName())
                .redirectError(log.toFile())
                .start();
        try (BufferedReader said = process.inputReader();
                Writer tell = process.outputWriter()) {
            String port = said.readLine();
            assertThat(port).startsWith("port ");
            InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(port.substring(5)));
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < 400; i++) {
                    peers.add(RawPeer.connect(address));
                }
                RawPeer speaker = RawPeer.connect(address);
                peers.add(speaker);
                speaker.write(RawPeer.request(0x1002, new byte[] {0, 1, 0, 1}));
                tell.write("serve\n");
                tell.flush();
                assertThat(said.readLine()).isEqualTo("served");
                assertThat(speaker.readSetup().flags() & 0x2000).isNotZero();
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(Files.readAllLines(log))
                .filteredOn(line -> line.contains("Too many open files"))
                .hasSizeBetween(1, 4);
    }

    @Test
    @DisplayName("connections that come and go leave nothing behind")
    void comeAndGo() throws Exception {
        for (int i = 0; i < 300; i++) {
            Pair pair = Pair.connect(device, listener, listener.localAddress(), new Side.Sizes(4, 4, 1, 16, null));
            pair.server().receive(new Request(1));
            pair.client().send(new Request(2));
            pair.server().receives().next();
            if (i % 3 == 0) {
                pair.client().endpoint().disconnect();
                pair.client().events().next("disconnected");
            }
            pair.client().close();
            if (i % 2 == 0) {
                pair.server().events().next("disconnected");
            }
            pair.server().close();
        }
    }
}
