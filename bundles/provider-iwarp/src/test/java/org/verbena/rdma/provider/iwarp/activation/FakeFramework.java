package org.verbena.rdma.provider.iwarp.activation;

import java.lang.reflect.Proxy;
import java.util.Dictionary;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.verbena.rdma.spi.ProviderDevice;

/** As much of a framework as registers services. */
final class FakeFramework {
    /** A device service that has come or gone. */
    record Change(boolean came, String name, Thread thread) {}

    private final BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
    private final List<ProviderDevice> devices = new CopyOnWriteArrayList<>();
    private final List<Object> others = new CopyOnWriteArrayList<>();
    private volatile Dictionary<String, ?> lastProperties;
    private volatile Consumer<ProviderDevice> whenUnregistering = device -> {};

    BundleContext context() {
        return proxy(BundleContext.class, (method, arguments) -> {
            if (method.equals("getServiceReference")) {
                return null;
            }
            if (!method.equals("registerService")) {
                throw new UnsupportedOperationException(method);
            }
            lastProperties = asProperties(arguments[2]);
            if (arguments[1] instanceof ProviderDevice device) {
                devices.add(device);
                changes.add(new Change(true, device.name(), Thread.currentThread()));
            } else {
                others.add(arguments[1]);
            }
            return registration(arguments[1]);
        });
    }

    @SuppressWarnings("unchecked")
    private static Dictionary<String, ?> asProperties(Object properties) {
        return (Dictionary<String, ?>) properties;
    }

    private ServiceRegistration<?> registration(Object service) {
        return proxy(ServiceRegistration.class, (method, arguments) -> {
            if (!method.equals("unregister")) {
                throw new UnsupportedOperationException(method);
            }
            if (service instanceof ProviderDevice device) {
                whenUnregistering.accept(device);
                devices.remove(device);
                changes.add(new Change(false, device.name(), Thread.currentThread()));
            }
            return null;
        });
    }

    private interface Call {
        Object of(String method, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> self == arguments[0];
                    case "toString" -> type.getSimpleName();
                    default -> call.of(method.getName(), arguments);
                }));
    }

    void whenUnregistering(Consumer<ProviderDevice> action) {
        whenUnregistering = action;
    }

    Dictionary<String, ?> lastProperties() {
        return lastProperties;
    }

    List<ProviderDevice> devices() {
        return devices;
    }

    List<Object> others() {
        return others;
    }

    Change next() throws InterruptedException {
        Change change = changes.poll(20, TimeUnit.SECONDS);
        if (change == null) {
            throw new AssertionError("no device has come or gone");
        }
        return change;
    }

    boolean isQuiet() {
        return changes.isEmpty();
    }
}
