package org.verbena.rdma.core.cm;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.address.AddressKey;
import org.verbena.rdma.core.address.PortBinding;
import org.verbena.rdma.core.device.AddressBook;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.ListeningPoint;

/**
 * Where a listener listens. A listener on one address has one point; one on a wildcard has a point for each address that
 * devices serve, and follows them as they come and go (C11).
 *
 * <p>The points are guarded by this object's monitor, which is never held while a provider is called. Following runs on
 * one thread at a time: {@code following} counts what has to be looked at, and who raises it from 0 does the work.
 */
final class AddressListening {
    private static final Logger LOGGER = LoggerFactory.getLogger(AddressListening.class);

    private final ConnectionId id;
    private final Surroundings surroundings;
    private final PortBinding binding;
    private final Device only;
    private final boolean familyOnly;
    private final int backlog;
    private final AtomicInteger following = new AtomicInteger();
    private final Map<PointKey, ListeningPoint> points = new LinkedHashMap<>();
    private final Map<PointKey, String> failures = new HashMap<>();
    private boolean closed;

    private record PointKey(Device device, AddressKey address) {}

    /**
     * Makes a listening that does not listen yet.
     *
     * @param id the listener
     * @param surroundings what is around it
     * @param binding what it is bound to
     * @param only the device it is bound or pinned to, or null for all
     * @param familyOnly whether an IPv6 wildcard leaves IPv4 alone
     * @param backlog how many requests may wait
     */
    AddressListening(
            ConnectionId id,
            Surroundings surroundings,
            PortBinding binding,
            Device only,
            boolean familyOnly,
            int backlog) {
        this.id = id;
        this.surroundings = surroundings;
        this.binding = binding;
        this.only = only;
        this.familyOnly = familyOnly;
        this.backlog = backlog;
    }

    boolean follows() {
        return binding.address().isAnyLocalAddress();
    }

    /** Listens everywhere where it should, or nowhere. */
    void start() throws RdmaException {
        following.set(1);
        if (follows()) {
            surroundings.wildcards().add(this);
        }
        try {
            for (PointKey wanted : wanted()) {
                open(wanted);
            }
        } catch (RdmaException | RuntimeException refused) {
            close();
            throw refused;
        }
        if (following.decrementAndGet() > 0) {
            following.set(0);
            follow();
        }
    }

    /** Something about devices has changed. On a core thread. */
    void follow() {
        if (following.getAndIncrement() > 0) {
            return;
        }
        int seen;
        do {
            seen = following.get();
            reconcile();
        } while (!following.compareAndSet(seen, 0));
    }

    private void reconcile() {
        List<PointKey> wanted = wanted();
        for (ListeningPoint surplus : takeSurplus(wanted)) {
            surplus.close();
        }
        boolean failed = false;
        for (PointKey key : wanted) {
            if (!isOpen(key)) {
                try {
                    open(key);
                } catch (DeviceRemovedException going) {
                    LOGGER.debug("{} does not listen on {}: it is going", id, key.device());
                } catch (RdmaException | RuntimeException refused) {
                    failed = true;
                    keepFailure(key, refused);
                }
            }
        }
        if (failed) {
            retryLater();
        }
    }

    private void keepFailure(PointKey key, Exception refused) {
        String known;
        synchronized (this) {
            known = failures.put(key, refused.getMessage());
        }
        if (known == null) {
            LOGGER.warn(
                    "{} of bundle {} cannot listen on device {} at {}, trying again: {}",
                    id,
                    id.consumer().name(),
                    key.device(),
                    key.address().address().getHostAddress(),
                    refused.getMessage());
        }
    }

    private void retryLater() {
        Duration retry = surroundings.configuration().get().listenRetry();
        try {
            surroundings
                    .timer()
                    .schedule(
                            () -> surroundings.dispatcher().core().execute(this::follow),
                            retry.toMillis(),
                            TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopping) {
            LOGGER.debug("core is stopping, {} tries no more", id);
        }
    }

    private List<PointKey> wanted() {
        if (isClosed()) {
            return List.of();
        }
        if (!follows()) {
            return List.of(new PointKey(only, AddressKey.of(binding.address())));
        }
        AddressBook book = surroundings.devices().book();
        List<PointKey> wanted = new ArrayList<>();
        for (Device device : book.devices()) {
            if (only == null || only == device) {
                for (InetAddress address : only == null ? book.servedBy(device) : device.addresses()) {
                    if (covers(address)) {
                        wanted.add(new PointKey(device, AddressKey.of(address)));
                    }
                }
            }
        }
        return wanted;
    }

    private boolean covers(InetAddress address) {
        if (binding.address() instanceof Inet4Address) {
            return address instanceof Inet4Address;
        }
        return address instanceof Inet6Address || !familyOnly;
    }

    private void open(PointKey key) throws RdmaException {
        ListeningPoint point = new ListeningPoint(
                key.device(), new InetSocketAddress(key.address().address(), binding.port()), id::take);
        synchronized (this) {
            if (closed) {
                return;
            }
            points.put(key, point);
            failures.remove(key);
        }
        boolean opened = false;
        try {
            point.open(binding.portSpace(), backlog, id.options().forProvider());
            opened = true;
        } finally {
            if (!opened) {
                synchronized (this) {
                    points.remove(key, point);
                }
            }
        }
    }

    private synchronized boolean isOpen(PointKey key) {
        return points.containsKey(key);
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized List<ListeningPoint> takeSurplus(List<PointKey> wanted) {
        List<ListeningPoint> surplus = new ArrayList<>();
        points.entrySet().removeIf(entry -> {
            boolean unwanted = !wanted.contains(entry.getKey());
            if (unwanted) {
                surplus.add(entry.getValue());
            }
            return unwanted;
        });
        failures.keySet().retainAll(wanted);
        return surplus;
    }

    /** Stops listening everywhere. */
    void close() {
        surroundings.wildcards().remove(this);
        List<ListeningPoint> closing;
        synchronized (this) {
            closed = true;
            closing = new ArrayList<>(points.values());
            points.clear();
            failures.clear();
        }
        closing.forEach(ListeningPoint::close);
    }

    /** Returns where it listens, for people. */
    synchronized List<String> served() {
        return points.keySet().stream()
                .map(key -> key.device().name() + " " + key.address().address().getHostAddress())
                .toList();
    }

    /** Returns where it should listen and cannot, for people. */
    synchronized List<String> failures() {
        return failures.entrySet().stream()
                .map(entry -> entry.getKey().device().name() + " "
                        + entry.getKey().address().address().getHostAddress() + ": " + entry.getValue())
                .toList();
    }
}
