package org.verbena.rdma.core.device;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.core.guard.Guard;

/**
 * Finds threads that do not come back from a provider. Whoever closes or destroys what such a thread uses waits for it
 * without a limit, since only a removal may give a device up; so it is said by name which thread that is. A removal says
 * it by itself. Upcalls are not looked at: who is in one is in core, which does not wait there.
 *
 * <p>Looked at again and again by one thread; what it has found is published through a volatile field.
 */
final class HungCalls {
    private static final Logger LOGGER = LoggerFactory.getLogger(HungCalls.class);

    private Map<Call, Long> seen = Map.of();
    private volatile Map<Call, Long> hung = Map.of();

    /** A call that has not come back, told from later ones of its thread by the number of the stay. */
    private record Call(Device device, String provider, Guard.Inside inside) {}

    /**
     * Looks once.
     *
     * @param devices the devices that are in, and their providers as once told: none is asked here
     * @param limitNanos how long a call may take
     * @param now the time, as {@link System#nanoTime()}
     */
    void look(Map<Device, String> devices, long limitNanos, long now) {
        Map<Call, Long> inside = new HashMap<>();
        Map<Call, Long> late = new HashMap<>();
        devices.forEach((device, provider) -> {
            for (Guard.Inside thread : device.guard().inside(device.gate())) {
                Call call = new Call(device, provider, thread);
                long since = seen.getOrDefault(call, now);
                inside.put(call, since);
                if (now - since >= limitNanos) {
                    late.put(call, since);
                }
            }
        });
        Map<Call, Long> before = hung;
        seen = inside;
        hung = late;
        late.forEach((call, since) -> {
            if (!before.containsKey(call)) {
                LOGGER.warn("device {}: {}", call.device(), describe(call, now - since));
            }
        });
        before.keySet().forEach(call -> {
            if (!inside.containsKey(call) && !call.device().isMarked()) {
                LOGGER.info(
                        "device {}: thread {} has come back from provider {}",
                        call.device(),
                        call.inside().thread().getName(),
                        call.provider());
            }
        });
    }

    private static String describe(Call call, long nanos) {
        return String.format(
                "thread %s has not come back from provider %s for %d ms; what it uses can be closed only with the device",
                call.inside().thread().getName(), call.provider(), TimeUnit.NANOSECONDS.toMillis(nanos));
    }

    /**
     * Says who does not come back from a device.
     *
     * @param device the device
     * @param now the time, as {@link System#nanoTime()}
     * @return a sentence about one of them, or empty
     */
    Optional<String> of(Device device, long now) {
        return hung.entrySet().stream()
                .filter(call -> call.getKey().device() == device)
                .map(call -> describe(call.getKey(), now - call.getValue()))
                .findFirst();
    }
}
