package org.verbena.rdma.provider.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.Transport;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.loopback.fake.Core;
import org.verbena.rdma.provider.loopback.fake.Events;
import org.verbena.rdma.provider.loopback.fake.Registry;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.ProviderDevice;

class LoopbackNetworkTest {
    private final Core core = new Core();
    private final LoopbackNetwork network = core.network();

    @Test
    void describesItsDevices() throws Exception {
        ProviderDevice device = core.add("lo0", "198.18.0.1");
        assertThat(device.attributes().provider()).isEqualTo("loopback");
        assertThat(device.attributes().transport()).isEqualTo(Transport.LOOPBACK);
        assertThat(device.attributes().maxPrivateData(PrivateDataCarrier.REQUEST))
                .isEqualTo(56);
        assertThat(device.attributes().maxPrivateData(PrivateDataCarrier.REPLY)).isEqualTo(196);
        assertThat(device.attributes().maxPrivateData(PrivateDataCarrier.REJECT))
                .isEqualTo(148);
        assertThat(device.attributes().padsPrivateData()).isFalse();
        assertThat(device.attributes().assignsSourcePorts()).isFalse();
        assertThat(device.attributes().guid())
                .isNotZero()
                .isNotEqualTo(core.add("lo1", "198.18.0.2").attributes().guid());
        assertThat(device.attributes().supports(DeviceCapability.ATOMICS)).isTrue();
        assertThat(device.attributes().supports(DeviceCapability.DATAGRAM)).isFalse();
        assertThat(device.attributes().supports(DeviceCapability.TIMEWAIT)).isFalse();
    }

    @Test
    void removesADeviceThatNobodyHasOpen() {
        ProviderDevice device = network.add(DeviceConfiguration.of("lo0", Core.address("198.18.0.1")));
        assertThat(core.registry().devices()).containsExactly(device);
        network.remove(device);
        assertThat(core.registry().devices()).isEmpty();
        assertThat(network.answers(Core.address("198.18.0.1"))).isFalse();
        assertThatThrownBy(() -> network.faults().device("lo0").vanish()).isInstanceOf(IllegalStateException.class);
        network.remove(device);
    }

    @Test
    void aDeviceThatIsOpenIsFreedWhenItIsClosed() throws Exception {
        ProviderDevice device = core.add("lo0", "198.18.0.1");
        network.remove(device);
        assertThat(core.registry().devices()).isEmpty();
        assertThat(network.answers(Core.address("198.18.0.1"))).isTrue();
        device.createProtectionDomain().close();
        device.close();
        assertThat(network.answers(Core.address("198.18.0.1"))).isFalse();
        assertThat(network.faults().violations()).isEmpty();
    }

    @Test
    void aSecondRemovalWaitsForTheFirst() throws Exception {
        ProviderDevice device = core.add("lo0", "198.18.0.1");
        CountDownLatch unregistering = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        core.registry().onUnregister(() -> {
            unregistering.countDown();
            try {
                closed.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        CompletableFuture<Void> pulled =
                network.faults().device("lo0").pullOut().toCompletableFuture();
        unregistering.await();
        Thread removing = new Thread(() -> network.remove(device));
        removing.start();
        await().until(() -> removing.getState() == Thread.State.WAITING);
        device.close();
        closed.countDown();
        removing.join();
        pulled.join();
        assertThat(network.answers(Core.address("198.18.0.1"))).isFalse();
    }

    @Test
    void aRemovalInsideOfItselfDoesNotWait() throws Exception {
        ProviderDevice device = core.add("lo0", "198.18.0.1");
        List<String> steps = new ArrayList<>();
        core.registry().onUnregister(() -> {
            steps.add("unregister");
            network.remove(device);
            device.close();
        });
        network.remove(device);
        assertThat(steps).containsExactly("unregister");
    }

    @Test
    void closeRemovesAllAndRefusesOthers() throws Exception {
        ProviderDevice open = core.add("lo0", "198.18.0.1");
        network.add(DeviceConfiguration.of("lo1", Core.address("198.18.0.2")));
        network.close();
        assertThat(core.registry().devices()).isEmpty();
        assertThatThrownBy(() -> network.add(DeviceConfiguration.of("lo2"))).isInstanceOf(IllegalStateException.class);
        assertThat(network.answers(Core.address("198.18.0.1"))).isTrue();
        open.close();
        assertThat(network.answers(Core.address("198.18.0.1"))).isFalse();
    }

    @Test
    void aDeviceCanBeOpenedAgain() throws Exception {
        ProviderDevice device = core.add("lo0", "198.18.0.1");
        device.close();
        network.faults().device("lo0").changeNetwork();
        device.open(core.deviceUpcalls());
        network.faults().device("lo0").changeAddresses(List.of());
        device.close();
        core.upcalls().runAll();
        assertThat(core.deviceEvents()).as("none after close").isEmpty();
        assertThat(network.faults().device("lo0").calls(ProviderCall.OPEN)).isEqualTo(2);
    }

    @Test
    void refusesNamesWithSpaces() {
        assertThatThrownBy(() -> DeviceConfiguration.of("l o")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DeviceConfiguration.of("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void knowsItsAddressRange() {
        assertThat(AddressRange.contains(Core.address("198.18.0.0"))).isTrue();
        assertThat(AddressRange.contains(Core.address("198.19.255.255"))).isTrue();
        assertThat(AddressRange.contains(Core.address("198.20.0.0"))).isFalse();
        assertThat(AddressRange.contains(Core.address("198.17.255.255"))).isFalse();
        assertThat(AddressRange.contains(Core.address("100::"))).isTrue();
        assertThat(AddressRange.contains(Core.address("100::ffff:ffff:ffff:ffff")))
                .isTrue();
        assertThat(AddressRange.contains(Core.address("100:0:0:1::"))).isFalse();
        assertThat(AddressRange.contains(Core.address("::1"))).isFalse();
        assertThat(AddressRange.contains(Core.address("127.0.0.1"))).isFalse();
    }

    @Test
    void worksWithThreadsOfItsOwn() throws Exception {
        Registry registry = new Registry();
        Events events = new Events();
        try (LoopbackNetwork threaded = new LoopbackNetwork(registry)) {
            ProviderDevice device = threaded.add(DeviceConfiguration.of("own", Core.address("100::1")));
            device.open(core.deviceUpcalls());
            device.resolve(
                    PortSpace.TCP,
                    Core.at(device),
                    Core.at(device),
                    Duration.ofSeconds(1),
                    EndpointOptions.DEFAULTS,
                    events);
            await().until(() -> events.names().size() == 1);
            device.close();
        }
        assertThat(registry.devices()).isEmpty();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("verbena-loopback-") && thread.isAlive()));
    }

    @Test
    void anUnknownDeviceIsNotOpen() {
        assertThat(network.faults().device("nobody").open()).isZero();
        assertThatThrownBy(() -> core.add(DeviceConfiguration.of("twice")).open(core.deviceUpcalls()))
                .isNotInstanceOf(RdmaException.class);
    }
}
