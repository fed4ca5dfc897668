package org.verbena.rdma.itests.schedules;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.Transport;
import org.verbena.rdma.spi.CounterSink;
import org.verbena.rdma.spi.DeviceUpcalls;
import org.verbena.rdma.spi.ProviderDevice;

/**
 * A provider's device that tells of a change while it is being opened, takes its time in each call, and notes what core
 * must not do: call it while it is not open, open or close it twice, close it while another thread is inside.
 */
final class OfferedDevice {
    private static final long TIME_NANOS = 50_000;

    private final AtomicInteger inside = new AtomicInteger();
    private volatile boolean open;
    private volatile String wrong;

    ProviderDevice device() {
        return make(ProviderDevice.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "name" -> "d0";
            case "attributes" -> attributes();
            case "open" -> open((DeviceUpcalls) arguments[0]);
            case "close" -> close();
            case "addresses" -> call("addresses", List.of(InetAddress.getLoopbackAddress()));
            case "linkState" -> call("linkState", LinkState.UP);
            case "readCounters" -> count((CounterSink) arguments[0]);
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "toString" -> "d0";
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private static DeviceAttributes attributes() {
        return make(DeviceAttributes.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "provider" -> "offered";
            case "transport" -> Transport.OTHER;
            case "maxPrivateData" -> 56;
            default -> InvocationHandler.invokeDefault(proxy, method, arguments);
        });
    }

    private static <T> T make(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return handler.invoke(proxy, method, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }));
    }

    private Object open(DeviceUpcalls upcalls) {
        if (open) {
            note("opened twice");
        }
        upcalls.addressesChanged();
        takeTime();
        open = true;
        return null;
    }

    private Object close() {
        if (!open) {
            note("closed while it is not open");
        }
        if (inside.get() > 0) {
            note("closed while a thread is inside");
        }
        open = false;
        return null;
    }

    private Object count(CounterSink sink) {
        sink.count("calls", call("readCounters", 1L));
        return null;
    }

    private <T> T call(String what, T answer) {
        inside.incrementAndGet();
        if (!open) {
            note(what + " of a device that is not open");
        }
        takeTime();
        inside.decrementAndGet();
        return answer;
    }

    /** What comes first counts: the rest follows from it. */
    private synchronized void note(String first) {
        if (wrong == null) {
            wrong = first;
        }
    }

    private static void takeTime() {
        LockSupport.parkNanos(TIME_NANOS);
    }

    /** Checks that core has done nothing wrong, and has closed it in the end. */
    void requireClosed() {
        Watch.require(wrong == null, wrong);
        Watch.require(!open, "the device is left open");
    }
}
