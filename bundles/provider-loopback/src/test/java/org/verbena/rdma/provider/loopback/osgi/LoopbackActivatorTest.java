package org.verbena.rdma.provider.loopback.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.ManagedServiceFactory;
import org.verbena.rdma.provider.loopback.fake.Core;
import org.verbena.rdma.provider.loopback.fault.DeviceFaults;
import org.verbena.rdma.provider.loopback.fault.LoopbackFaults;
import org.verbena.rdma.spi.ProviderDevice;

class LoopbackActivatorTest {
    private final Map<String, Object> services = new LinkedHashMap<>();
    private final List<String> unregistered = new ArrayList<>();
    private final LoopbackActivator activator = new LoopbackActivator();
    private Dictionary<?, ?> lastProperties;

    private final BundleContext context = (BundleContext) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {BundleContext.class}, (proxy, method, arguments) -> {
                if (!method.getName().equals("registerService")) {
                    throw new AssertionError(method);
                }
                String type = ((Class<?>) arguments[0]).getSimpleName();
                services.put(type, arguments[1]);
                lastProperties = (Dictionary<?, ?>) arguments[2];
                return registration(type);
            });

    private ServiceRegistration<?> registration(String type) {
        return (ServiceRegistration<?>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ServiceRegistration.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("unregister")) {
                        Object service = services.remove(type);
                        unregistered.add(type);
                        if (service instanceof ProviderDevice device) {
                            device.createProtectionDomain().close();
                            device.close();
                        }
                    }
                    return null;
                });
    }

    @Test
    void bringsNoDeviceOfItself() {
        activator.start(context);
        assertThat(services.keySet()).containsExactly("LoopbackFaults", "ManagedServiceFactory");
        assertThat(lastProperties.get("service.pid")).isEqualTo("org.verbena.rdma.provider.loopback");
        activator.stop(context);
    }

    @Test
    void unregistersDevicesBeforeItFreesThem() throws Exception {
        activator.start(context);
        ManagedServiceFactory factory = (ManagedServiceFactory) services.get("ManagedServiceFactory");
        LoopbackFaults faults = (LoopbackFaults) services.get("LoopbackFaults");
        factory.updated("pid~lo0", new Hashtable<>(Map.of("addresses", "198.18.0.1", "service.ranking", 7)));
        assertThat(lastProperties.get("service.ranking")).isEqualTo(7);
        assertThat(lastProperties.get("rdma.name")).isEqualTo("lo0");
        ProviderDevice device = (ProviderDevice) services.get("ProviderDevice");
        device.open(new Core().deviceUpcalls());
        DeviceFaults lo0 = faults.device("lo0");

        activator.stop(context);
        assertThat(unregistered).containsExactly("ManagedServiceFactory", "ProviderDevice");
        assertThat(lo0.open()).isZero();
        assertThat(lo0.violations()).isEmpty();
    }
}
