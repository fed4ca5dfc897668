package org.verbena.rdma.core.osgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.util.Dictionary;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.device.DeviceRank;
import org.verbena.rdma.core.scripted.ScriptedDevice;

class ServicePublisherTest {
    private final AtomicReference<Dictionary<?, ?>> shown = new AtomicReference<>();
    private final AtomicInteger rounds = new AtomicInteger();
    private volatile Runnable inSetProperties = () -> {};
    private final ServicePublisher publisher = new ServicePublisher(context());
    private final Core core = new Core(CoreConfiguration.DEFAULTS, publisher, destination -> null);
    private final ScriptedDevice device = new ScriptedDevice("scripted", "192.0.2.1");

    @BeforeEach
    void plug() {
        publisher.serve(core, new SessionOpener(core));
        core.devices().offer(device, new DeviceRank(0, 1));
        await().until(() ->
                core.devices().slots().iterator().next().condition().name().equals("PRESENT"));
        core.devices().follow(rounds::incrementAndGet);
    }

    @AfterEach
    void stop() {
        core.stop();
    }

    @Test
    @DisplayName("the properties that are shown in the end are the last ones, however slow their listeners are")
    void showsTheLastAddresses() {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        inSetProperties = () -> {
            inSetProperties = () -> {};
            inside.countDown();
            awaitLatch(release);
        };
        device.changeAddresses("192.0.2.2");
        awaitLatch(inside);

        device.changeAddresses("192.0.2.3");
        await("the second change, on a thread of its own").until(() -> rounds.get() > 0);
        release.countDown();

        await().until(() -> rounds.get() > 1);
        assertThat(shown.get().get(RdmaDevice.ADDRESSES)).isEqualTo(new String[] {"192.0.2.3"});
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private BundleContext context() {
        return (BundleContext) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {BundleContext.class},
                (proxy, method, arguments) -> registration());
    }

    private ServiceRegistration<?> registration() {
        return (ServiceRegistration<?>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ServiceRegistration.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("setProperties")) {
                        inSetProperties.run();
                        shown.set((Dictionary<?, ?>) arguments[0]);
                    }
                    return null;
                });
    }
}
