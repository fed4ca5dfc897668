package org.verbena.rdma.provider.iwarp.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.Path;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.Transport;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.iwarp.peer.Events;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;
import org.verbena.rdma.provider.iwarp.peer.TestDevice;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.PathUpcalls;
import org.verbena.rdma.spi.ProviderListener;

class IwarpDeviceTest {
    private TestDevice device;

    @BeforeEach
    void open() throws Exception {
        device = new TestDevice(Settings.DEFAULTS);
    }

    @AfterEach
    void close() {
        device.close();
    }

    /** The outcome of a path query. */
    private static final class Outcome implements PathUpcalls {
        private final CompletableFuture<Path> path = new CompletableFuture<>();
        private final CompletableFuture<RdmaError> error = new CompletableFuture<>();

        @Override
        public void found(Path found) {
            path.complete(found);
        }

        @Override
        public void failed(RdmaError why) {
            error.complete(why);
        }
    }

    @Test
    @DisplayName("what the device is and takes")
    void attributes() {
        DeviceAttributes attributes = device.device().attributes();

        assertThat(attributes.provider()).isEqualTo("iwarp");
        assertThat(attributes.transport()).isEqualTo(Transport.IWARP);
        assertThat(attributes.assignsSourcePorts()).isTrue();
        assertThat(attributes.padsPrivateData()).isFalse();
        assertThat(attributes.maxInitiatorDepth()).isEqualTo(128);
        assertThat(attributes.maxResponderResources()).isEqualTo(128);
        for (PrivateDataCarrier carrier : PrivateDataCarrier.values()) {
            assertThat(attributes.maxPrivateData(carrier)).isEqualTo(508);
        }
        for (DeviceCapability capability : DeviceCapability.values()) {
            boolean offered = Set.of(
                            DeviceCapability.SEND_WITH_INVALIDATE,
                            DeviceCapability.SHARED_RECEIVE_QUEUE,
                            DeviceCapability.IMMEDIATE_DATA,
                            DeviceCapability.ATOMICS)
                    .contains(capability);
            assertThat(attributes.supports(capability)).as(capability.name()).isEqualTo(offered);
        }
        assertThat(device.device().linkState()).isEqualTo(LinkState.UP);
    }

    @Test
    @DisplayName("a path to this machine is found, with the MTU of the interface")
    void path() throws Exception {
        Outcome outcome = new Outcome();
        var query = device.device()
                .queryPath(
                        TestDevice.address("127.0.0.1"),
                        TestDevice.address("127.0.0.1"),
                        Duration.ofSeconds(1),
                        outcome);

        assertThat(outcome.path.get(20, TimeUnit.SECONDS).mtu()).isEqualTo(65_536);
        assertThat(outcome.error).isNotDone();
        query.close();
    }

    @Test
    @DisplayName("there is no path from the loopback address to another machine, nor to another family")
    void noPath() throws Exception {
        for (String destination : new String[] {"192.0.2.1", "::1"}) {
            Outcome outcome = new Outcome();
            device.device()
                    .queryPath(
                            TestDevice.address("127.0.0.1"),
                            TestDevice.address(destination),
                            Duration.ofSeconds(1),
                            outcome);
            assertThat(outcome.error.get(20, TimeUnit.SECONDS))
                    .isIn(RdmaError.NETWORK_UNREACHABLE, RdmaError.HOST_UNREACHABLE);
            assertThat(outcome.path).isNotDone();
        }
    }

    @Test
    @DisplayName("port spaces other than TCP are refused")
    void portSpaces() {
        for (PortSpace space : EnumSet.complementOf(EnumSet.of(PortSpace.TCP))) {
            assertThatThrownBy(() -> device.device()
                            .resolve(
                                    space,
                                    new InetSocketAddress("127.0.0.1", 0),
                                    new InetSocketAddress("127.0.0.1", 1),
                                    Duration.ofSeconds(1),
                                    EndpointOptions.DEFAULTS,
                                    new Events()))
                    .isInstanceOfSatisfying(
                            RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.NOT_SUPPORTED));
        }
    }

    @Test
    @DisplayName("STags and addresses of regions are scattered over their whole range")
    void unguessable() throws Exception {
        int stags = 0;
        long addresses = 0;
        for (int i = 0; i < 1_000; i++) {
            Memory memory = device.memory(1);
            stags |= memory.key() ^ device.memory(1).key();
            addresses |= memory.address();
            assertThat(memory.address()).isNotNegative();
            memory.region().close();
        }
        assertThat(Integer.bitCount(stags)).isEqualTo(32);
        assertThat(Long.bitCount(addresses)).isEqualTo(50);
    }

    @Test
    @DisplayName("thousands of regions come and go, and each is found by its STag and no other")
    void manyRegions() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            Memory[] memories = new Memory[3_000];
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < memories.length; i++) {
                    if (memories[i] != null && i % 3 != round) {
                        memories[i].region().close();
                    }
                    if (memories[i] == null || i % 3 != round) {
                        memories[i] = pair.device().memory(8).fill(i);
                    }
                }
            }
            Memory sink = pair.device().memory(8);
            for (int i = 0; i < memories.length; i += 7) {
                pair.client().send(new Request(i).segment(sink).read(memories[i].address(), memories[i].key()));
                pair.client().sends().next();
                assertThat(sink.bytes()).isEqualTo(memories[i].bytes());
            }
        }
    }

    @Test
    @DisplayName("after close the device is as before its first open, and can be opened again")
    void reopen() throws Exception {
        for (int i = 0; i < 3; i++) {
            ProviderListener listener = device.listen("127.0.0.1", 0);
            Pair pair = Pair.connect(device, listener, listener.localAddress(), Side.Sizes.DEFAULTS);
            pair.client().close();
            pair.server().close();
            listener.close();
            device.reopen();
        }
        device.device().close();
        assertThatThrownBy(() -> device.device().createProtectionDomain())
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.NO_DEVICE));
        device.reopen();
    }

    @Test
    @DisplayName("no thread of the device is left when it is closed")
    void threads() throws Exception {
        device.device().close();
        Thread[] all = new Thread[Thread.activeCount() + 20];
        int count = Thread.enumerate(all);
        for (int i = 0; i < count; i++) {
            assertThat(all[i].getName()).doesNotStartWith("verbena-iwarp-test-");
        }
        device.reopen();
    }
}
