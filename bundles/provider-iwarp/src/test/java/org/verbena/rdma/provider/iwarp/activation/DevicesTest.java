package org.verbena.rdma.provider.iwarp.activation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Constants;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.iwarp.device.InterfaceState;
import org.verbena.rdma.spi.DeviceUpcalls;
import org.verbena.rdma.spi.ProviderDevice;

class DevicesTest {
    private static final long PERIOD_MILLIS = 20;

    private final FakeFramework framework = new FakeFramework();
    private final Map<String, WantedDevice> wanted = new ConcurrentHashMap<>();
    private final Devices devices =
            new Devices(framework.context(), configurations -> Map.copyOf(wanted), Executors.newScheduledThreadPool(1));

    @AfterEach
    void stop() {
        devices.stop();
    }

    private static WantedDevice device(String name, DeviceConfiguration configuration, LinkState link, String... ips)
            throws Exception {
        List<InetAddress> addresses = new ArrayList<>();
        for (String ip : ips) {
            addresses.add(InetAddress.getByName(ip));
        }
        return new WantedDevice(name, configuration, 0, new InterfaceState(addresses, link, 1500));
    }

    private void want(String name, LinkState link, String... ips) throws Exception {
        wanted.put(name, device(name, DeviceConfiguration.defaults(), link, ips));
    }

    @Test
    @DisplayName("devices are there when start has returned, and gone when stop has, each unregistered there")
    void startAndStop() throws Exception {
        want("a", LinkState.UP);
        want("b", LinkState.UP);

        devices.start(PERIOD_MILLIS, Set.of());
        assertThat(framework.devices()).hasSize(2);
        assertThat(framework.lastProperties().get(RdmaDevice.TRANSPORT)).isEqualTo("iwarp");
        framework.next();
        framework.next();
        devices.stop();

        assertThat(framework.devices()).isEmpty();
        assertThat(framework.next().thread()).isSameAs(Thread.currentThread());
        assertThat(framework.next().thread()).isSameAs(Thread.currentThread());
    }

    @Test
    @DisplayName("an interface that comes brings a device, one that goes takes it away on a thread of its own")
    void comesAndGoes() throws Exception {
        devices.start(PERIOD_MILLIS, Set.of());
        want("a", LinkState.UP);
        assertThat(framework.next())
                .matches(change -> change.came() && change.name().equals("a"));
        ProviderDevice device = framework.devices().get(0);
        CountDownLatch gone = new CountDownLatch(1);
        device.open(new DeviceUpcalls() {
            @Override
            public void addressesChanged() {}

            @Override
            public void linkChanged() {}

            @Override
            public void gone() {
                gone.countDown();
            }
        });
        wanted.remove("a");

        FakeFramework.Change change = framework.next();
        assertThat(change.came()).isFalse();
        assertThat(change.thread().getName()).contains("removal");
        assertThat(gone.await(20, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(device::createProtectionDomain)
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.NO_DEVICE));
        device.close();
    }

    @Test
    @DisplayName("changed addresses and links are told, and the device stays")
    void changes() throws Exception {
        want("a", LinkState.UP, "127.0.0.1");
        devices.start(PERIOD_MILLIS, Set.of());
        framework.next();
        ProviderDevice device = framework.devices().get(0);
        CountDownLatch addresses = new CountDownLatch(1);
        CountDownLatch link = new CountDownLatch(1);
        device.open(new DeviceUpcalls() {
            @Override
            public void addressesChanged() {
                addresses.countDown();
            }

            @Override
            public void linkChanged() {
                link.countDown();
            }

            @Override
            public void gone() {}
        });

        want("a", LinkState.UP, "127.0.0.1", "127.0.0.2");
        assertThat(addresses.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(link.getCount()).isEqualTo(1);
        assertThat(device.addresses()).hasSize(2);
        want("a", LinkState.DOWN, "127.0.0.1", "127.0.0.2");
        assertThat(link.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(device.linkState()).isEqualTo(LinkState.DOWN);
        assertThat(framework.isQuiet()).isTrue();
        device.close();
    }

    @Test
    @DisplayName(
            "a changed configuration makes the device anew when the old one is gone; so long nobody gets its addresses")
    void reconfigured() throws Exception {
        want("a", LinkState.UP, "127.0.0.1", "127.0.0.2");
        devices.start(PERIOD_MILLIS, Set.of());
        framework.next();
        CountDownLatch removal = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        framework.whenUnregistering(device -> {
            removal.countDown();
            try {
                mayEnd.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Hashtable<String, Object> changed = new Hashtable<>();
        changed.put("crc", "off");
        wanted.put("a", device("a", DeviceConfiguration.read(changed), LinkState.UP, "127.0.0.3"));

        assertThat(removal.await(20, TimeUnit.SECONDS)).isTrue();
        // Another device is held up by a removal that takes its time only if it wants an address that is not free yet.
        wanted.put("c", device("c", DeviceConfiguration.defaults(), LinkState.UP, "127.0.0.2", "127.0.0.4"));
        want("b", LinkState.UP, "127.0.0.5");
        assertThat(framework.next().name()).isEqualTo("b");
        want("b2", LinkState.UP, "127.0.0.6");
        assertThat(framework.next().name()).isEqualTo("b2");
        assertThat(framework.isQuiet()).isTrue();
        framework.whenUnregistering(device -> {});
        mayEnd.countDown();

        assertThat(framework.next())
                .matches(change -> !change.came() && change.name().equals("a"));
        assertThat(Set.of(framework.next().name(), framework.next().name())).containsExactlyInAnyOrder("a", "c");
    }

    @Test
    @DisplayName("without a configuration nothing is made while one is known to come, and be it never valid")
    void storedConfigurations() throws Exception {
        want("a", LinkState.UP);
        DeviceFactory factory = new DeviceFactory(devices);
        Hashtable<String, Object> invalid = new Hashtable<>();
        invalid.put("crc", "perhaps");
        devices.start(10_000, Set.of("first", "second"));
        assertThat(framework.devices()).isEmpty();

        assertThatThrownBy(() -> factory.updated("first", invalid)).hasMessageContaining("perhaps");
        factory.deleted("second");

        assertThat(framework.next().name()).isEqualTo("a");
    }

    @Test
    @DisplayName("stop does not wait until stored configurations would be given up")
    void stopWhileAwaiting() {
        List<Runnable> due = new ArrayList<>();
        Devices waiting = new Devices(framework.context(), wantedNow -> Map.of(), new ScheduledThreadPoolExecutor(1) {
            @Override
            public void shutdown() {
                // Its thread lives until all of these have run; what is repeated is dropped.
                getQueue().stream()
                        .map(RunnableScheduledFuture.class::cast)
                        .filter(task -> !task.isCancelled() && !task.isPeriodic())
                        .forEach(due::add);
                super.shutdown();
            }
        });
        waiting.start(10_000, Set.of("first"));

        waiting.stop();

        assertThat(due).isEmpty();
    }

    @Test
    @DisplayName("the default device on the loopback interface goes as soon as a configuration comes, and comes back")
    void byDefault() throws Exception {
        Devices real = new Devices(framework.context(), new Interfaces(), Executors.newScheduledThreadPool(1));
        real.start(10_000, Set.of());
        FakeFramework.Change first = framework.next();
        assertThat(first.name()).startsWith("iwarp-lo");
        assertThat(framework.devices().get(0).addresses()).contains(InetAddress.getByName("127.0.0.1"));

        AtomicInteger gone = new AtomicInteger();
        ProviderDevice device = framework.devices().get(0);
        device.open(new DeviceUpcalls() {
            @Override
            public void addressesChanged() {}

            @Override
            public void linkChanged() {}

            @Override
            public void gone() {
                gone.incrementAndGet();
            }
        });

        DeviceFactory factory = new DeviceFactory(real);
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(Constants.SERVICE_PID, Configuration.PID + "~mine");
        properties.put("name", "mine");
        properties.put("addresses", "127.0.0.1");
        properties.put(Constants.SERVICE_RANKING, 7);
        factory.updated("pid", properties);
        await().until(() -> framework.devices().size() == 1
                && framework.devices().get(0).name().equals("mine"));
        assertThat(framework.lastProperties().get(Constants.SERVICE_RANKING)).isEqualTo(7);
        // It was taken away, its interface is still there.
        assertThat(gone).hasValue(0);
        device.close();

        factory.deleted("pid");
        await().until(() -> framework.devices().size() == 1
                && framework.devices().get(0).name().equals(first.name()));
        real.stop();
        assertThat(framework.devices()).isEmpty();
    }

    @Test
    @DisplayName("the activator brings the device and takes configurations")
    void activator() throws Exception {
        Activator activator = new Activator();
        activator.start(framework.context());
        assertThat(framework.devices()).hasSize(1);
        assertThat(framework.others()).hasSize(1).first().isInstanceOf(DeviceFactory.class);
        activator.stop(framework.context());
        assertThat(framework.devices()).isEmpty();
    }
}
