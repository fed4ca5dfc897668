package org.verbena.rdma.core.cm;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.core.address.AddressKey;
import org.verbena.rdma.core.address.PortBinding;
import org.verbena.rdma.core.device.AddressBook;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.ListeningOwner;
import org.verbena.rdma.core.device.ListeningPoint;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointUpcalls;

/**
 * Where a listener listens. A listener on one address has one point; one on a wildcard has a point for each address that
 * devices serve, and follows them as they come and go (C11).
 *
 * <p>The points are guarded by this object's monitor, under which the devices are looked at, so that who looks later acts
 * on what is newer. It is never held while a provider is called.
 */
final class AddressListening implements ListeningOwner {
    private static final Logger LOGGER = LoggerFactory.getLogger(AddressListening.class);

    private final ConnectionId id;
    private final Surroundings surroundings;
    private final PortBinding binding;
    private final Device only;
    private final boolean familyOnly;
    private final int backlog;
    private final Map<PointKey, ListeningPoint> points = new LinkedHashMap<>();
    private final Map<PointKey, String> failures = new HashMap<>();

    /** Where the device did not know its address the last time, so that it may be moving. */
    private final Set<PointKey> moving = new HashSet<>();
    /** The points that are on their way out, by their addresses, which may be wanted on another device already. */
    private final List<Closing> closing = new ArrayList<>();

    private boolean started;
    private boolean closed;

    private record PointKey(Device device, AddressKey address) {}

    /** A point that is on its way out; counted down when it has let go of its address. */
    private record Closing(AddressKey address, CountDownLatch isClosed) {}

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

    /**
     * Listens everywhere where it should, or nowhere. On the thread of the consumer's call; a device that goes meanwhile is
     * not a failure of a listener on a wildcard.
     */
    void start() throws RdmaException {
        if (follows()) {
            surroundings.wildcards().add(this);
        }
        boolean listens = false;
        try {
            for (Map.Entry<PointKey, ListeningPoint> point : addMissing().entrySet()) {
                openFirst(point.getKey(), point.getValue());
            }
            listens = true;
        } finally {
            if (!listens) {
                close();
            }
        }
        synchronized (this) {
            started = true;
        }
        if (follows()) {
            // What has changed since the devices were looked at.
            follow();
        }
    }

    private void openFirst(PointKey key, ListeningPoint point) throws RdmaException {
        try {
            open(key, point);
        } catch (RdmaException refused) {
            // The provider may know that its device, or an address, is gone before core does.
            boolean goes = isError(refused, RdmaError.NO_DEVICE) || isError(refused, RdmaError.ADDRESS_NOT_AVAILABLE);
            if (!follows() || !goes) {
                throw refused;
            }
        }
    }

    /**
     * Something about devices has changed. Calls no provider itself: each point opens and closes on a thread of core, so
     * that a provider that hangs holds up neither this listener on other devices nor another listener.
     *
     * @return counted down as points open or fail to; to be waited for by {@link #awaitOpened} only
     */
    CountDownLatch follow() {
        Map<PointKey, ListeningPoint> missing;
        Map<PointKey, ListeningPoint> surplus;
        synchronized (this) {
            if (!started || closed) {
                return new CountDownLatch(0);
            }
            List<PointKey> wanted = wanted();
            surplus = takeSurplus(wanted);
            missing = addMissing();
        }
        surplus.forEach((key, point) -> letGo(point, closing(key.address())));
        CountDownLatch opening = new CountDownLatch(missing.size());
        missing.forEach((key, point) -> surroundings.dispatcher().runOnCore(() -> {
            // An address that has moved to another device may be in use until the former one has let go of it.
            awaitClosed(key.address());
            try {
                openOrRetry(key, point);
            } finally {
                opening.countDown();
            }
        }));
        return opening;
    }

    /** Waits a while for what {@link #follow} has begun. */
    boolean awaitOpened(CountDownLatch opening) {
        return await(opening, surroundings.configuration().get().listenRetry());
    }

    private void letGo(ListeningPoint point, Closing former) {
        surroundings.dispatcher().runOnCore(() -> {
            try {
                point.close();
                // The removal of its device may be closing it just now.
                await(point.held(), surroundings.configuration().get().listenRetry());
            } finally {
                former.isClosed().countDown();
                forget(former);
            }
        });
    }

    private synchronized Closing closing(AddressKey address) {
        Closing former = new Closing(address, new CountDownLatch(1));
        closing.add(former);
        return former;
    }

    private synchronized void forget(Closing former) {
        closing.remove(former);
    }

    /** Waits for all that still have an address: it may have moved more than once meanwhile. */
    private void awaitClosed(AddressKey address) {
        List<Closing> formers;
        synchronized (this) {
            formers = closing.stream()
                    .filter(former -> former.address().equals(address))
                    .toList();
        }
        long end = System.nanoTime()
                + surroundings.configuration().get().listenRetry().toNanos();
        formers.forEach(former -> await(former.isClosed(), Duration.ofNanos(end - System.nanoTime())));
    }

    /** Waits for a latch, whether or not the thread is interrupted. */
    private static boolean await(CountDownLatch latch, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        while (true) {
            try {
                boolean over = latch.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return over;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
    }

    private void openOrRetry(PointKey key, ListeningPoint point) {
        try {
            open(key, point);
            synchronized (this) {
                failures.remove(key);
                moving.remove(key);
            }
        } catch (DeviceRemovedException going) {
            LOGGER.debug("{} does not listen on {}: it is going", id, key.device());
        } catch (RdmaException | RuntimeException | Error refused) {
            keepFailure(key, refused);
            retryLater();
        }
    }

    private void keepFailure(PointKey key, Throwable refused) {
        String known;
        synchronized (this) {
            if (closed) {
                return;
            }
            if (isError(refused, RdmaError.ADDRESS_NOT_AVAILABLE) && moving.add(key)) {
                // Core hears of it in a moment; if not, the next try says so.
                LOGGER.debug("{} does not listen on {}: it has no such address now", id, key.device());
                return;
            }
            known = failures.put(key, String.valueOf(refused.getMessage()));
        }
        if (known != null) {
            return;
        }
        if (isError(refused, RdmaError.NO_DEVICE)) {
            // Its provider has said that it is gone, and takes it away.
            LOGGER.debug("{} does not listen on {}: it is gone", id, key.device());
        } else {
            LOGGER.warn(
                    "{} of bundle {} cannot listen on device {} at {}, trying again: {}",
                    id,
                    id.consumer().name(),
                    key.device(),
                    key.address().address().getHostAddress(),
                    refused.getMessage());
        }
    }

    private static boolean isError(Throwable refused, RdmaError error) {
        return refused instanceof RdmaException failed && failed.error() == error;
    }

    private void retryLater() {
        Duration retry = surroundings.configuration().get().listenRetry();
        try {
            surroundings
                    .timer()
                    .schedule(
                            () -> surroundings.dispatcher().runOnCore(this::follow),
                            retry.toMillis(),
                            TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopping) {
            LOGGER.debug("core is stopping, {} tries no more", id);
        }
    }

    private List<PointKey> wanted() {
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

    private void open(PointKey key, ListeningPoint point) throws RdmaException {
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

    /** Makes a point wherever one is wanted and there is none; whoever asks opens it. */
    private synchronized Map<PointKey, ListeningPoint> addMissing() {
        Map<PointKey, ListeningPoint> missing = new LinkedHashMap<>();
        if (!closed) {
            for (PointKey key : wanted()) {
                if (!points.containsKey(key)) {
                    ListeningPoint point = new ListeningPoint(
                            key.device(), new InetSocketAddress(key.address().address(), binding.port()), this);
                    points.put(key, point);
                    missing.put(key, point);
                }
            }
        }
        return missing;
    }

    /** Takes out what is wanted no more; whoever asks closes it. */
    private synchronized Map<PointKey, ListeningPoint> takeSurplus(List<PointKey> wanted) {
        Map<PointKey, ListeningPoint> surplus = new LinkedHashMap<>();
        points.entrySet().removeIf(entry -> {
            boolean unwanted = !wanted.contains(entry.getKey());
            if (unwanted) {
                surplus.put(entry.getKey(), entry.getValue());
            }
            return unwanted;
        });
        failures.keySet().retainAll(wanted);
        moving.retainAll(wanted);
        return surplus;
    }

    /**
     * Stops listening everywhere at a time, also where it is only beginning to. A provider that hangs in that is waited for
     * at most the hung limit: it keeps its listener, which takes no request any more, until its device goes.
     */
    void close() {
        surroundings.wildcards().remove(this);
        List<ListeningPoint> closing;
        synchronized (this) {
            closed = true;
            closing = new ArrayList<>(points.values());
            points.clear();
            failures.clear();
            moving.clear();
        }
        Duration limit = surroundings.configuration().get().hungLimit();
        CountDownLatch all = new CountDownLatch(closing.size());
        closing.forEach(point -> surroundings.dispatcher().runOnCore(() -> {
            try {
                point.close();
                if (point.isOpening()) {
                    // Who opens it closes it; the port is not free before.
                    await(point.held(), limit);
                }
            } finally {
                all.countDown();
            }
        }));
        if (!await(all, limit)) {
            LOGGER.warn(
                    "{} of bundle {} is closed while a provider hangs in the opening or close of its listener",
                    id,
                    id.consumer().name());
        }
    }

    @Override
    public EndpointUpcalls take(Device device, Endpoint endpoint, ConnectionParameters parameters) {
        return id.take(device, endpoint, parameters);
    }

    /** A listener on a wildcard is bound to no address that could change. */
    @Override
    public void addressChanged() {
        if (!follows()) {
            id.addressChanged();
        }
    }

    /** Returns where it listens, for people. */
    synchronized List<String> served() {
        return points.entrySet().stream()
                .filter(entry -> entry.getValue().isOpen())
                .map(entry -> entry.getKey())
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
