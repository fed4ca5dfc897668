package org.verbena.rdma.core.scripted;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.rdma.Access;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.Transport;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.CounterSink;
import org.verbena.rdma.spi.DeviceUpcalls;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.PathUpcalls;
import org.verbena.rdma.spi.ProviderCompletionQueue;
import org.verbena.rdma.spi.ProviderDevice;
import org.verbena.rdma.spi.ProviderListener;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderPathQuery;
import org.verbena.rdma.spi.ProviderProtectionDomain;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;
import org.verbena.rdma.spi.QueuePairResources;
import org.verbena.rdma.spi.ReceiveRequest;
import org.verbena.rdma.spi.SendRequest;

/**
 * A provider's device that does nothing by itself: the test raises each upcall and may stop any call on its way in. It
 * writes down what core must not do: call after close, close twice or during another call, close a device that has
 * objects left.
 */
public final class ScriptedDevice implements ProviderDevice {
    private final String name;
    private volatile List<InetAddress> addresses;
    private final Map<String, Hook> hooks = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    public final List<String> violations = new CopyOnWriteArrayList<>();
    public final List<ScriptedEndpoint> endpoints = new CopyOnWriteArrayList<>();
    public final List<ScriptedListener> listeners = new CopyOnWriteArrayList<>();
    public final List<ScriptedQuery> queries = new CopyOnWriteArrayList<>();
    public final AtomicInteger live = new AtomicInteger();
    public final AtomicInteger opens = new AtomicInteger();
    public final AtomicInteger closes = new AtomicInteger();
    public volatile DeviceUpcalls upcalls;
    public volatile boolean assignsPorts;
    /** What device and queue pairs count; the hook is "readCounters". */
    public final Map<String, Long> counters = new ConcurrentHashMap<>();

    private volatile boolean open;

    /**
     * Runs inside of a call, before it does anything; "addresses" runs after the addresses were read, "closed …" after a
     * close, "listening" when the listener is there.
     */
    public interface Hook {
        void run() throws RdmaException;
    }

    public ScriptedDevice(String name, String... addresses) {
        this.name = name;
        this.addresses = parse(addresses);
    }

    private static List<InetAddress> parse(String... texts) {
        return java.util.Arrays.stream(texts)
                .map(text -> {
                    try {
                        return InetAddress.getByName(text);
                    } catch (java.net.UnknownHostException bad) {
                        throw new IllegalArgumentException(bad);
                    }
                })
                .toList();
    }

    public void on(String call, Hook hook) {
        hooks.put(call, hook);
    }

    public void changeAddresses(String... texts) {
        addresses = parse(texts);
        tellAddresses();
    }

    public void tellAddresses() {
        upcalls.addressesChanged();
    }

    private void call(String what) throws RdmaException {
        if (!open && !what.equals("open")) {
            violations.add(what + " on a closed device");
        }
        Hook hook = hooks.get(what);
        if (hook != null) {
            hook.run();
        }
    }

    private void quietCall(String what) {
        try {
            call(what);
        } catch (RdmaException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void readCounters(CounterSink sink) {
        quietCall("readCounters");
        counters.forEach(sink::count);
    }

    /** Something that is closed once, not during a call, and not called afterwards. */
    public class Closeable {
        private final String kind;
        private final AtomicInteger inside = new AtomicInteger();
        public volatile boolean closed;

        Closeable(String kind) {
            this.kind = kind;
            live.incrementAndGet();
        }

        final void enter(String what) throws RdmaException {
            if (closed) {
                violations.add(what + " on a closed " + kind);
            }
            inside.incrementAndGet();
            try {
                call(what);
            } finally {
                inside.decrementAndGet();
            }
            if (closed) {
                violations.add(kind + " closed during " + what);
            }
        }

        public void close() {
            if (inside.get() != 0) {
                violations.add("close of a " + kind + " during another call");
            }
            if (closed) {
                violations.add(kind + " closed twice");
            }
            quietCall("close " + kind);
            closed = true;
            live.decrementAndGet();
            quietCall("closed " + kind);
        }
    }

    @Override
    public String name() {
        return name;
    }

    /** With a hook of its own, since it may be called while the device is not open. */
    @Override
    public DeviceAttributes attributes() {
        tell("device attributes");
        return new DeviceAttributes() {
            @Override
            public String provider() {
                return "scripted";
            }

            @Override
            public Transport transport() {
                return Transport.OTHER;
            }

            @Override
            public int maxPrivateData(PrivateDataCarrier message) {
                tell("attributes");
                return 56;
            }

            @Override
            public boolean assignsSourcePorts() {
                return assignsPorts;
            }
        };
    }

    private void tell(String what) {
        Hook hook = hooks.get(what);
        if (hook != null) {
            try {
                hook.run();
            } catch (RdmaException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    @Override
    public List<InetAddress> addresses() {
        List<InetAddress> read = addresses;
        int period = closes.get();
        quietCall("addresses");
        if (closes.get() != period) {
            violations.add("device closed during addresses");
        }
        return read;
    }

    @Override
    public void open(DeviceUpcalls target) throws RdmaException {
        upcalls = target;
        call("open");
        if (open) {
            violations.add("opened twice");
        }
        open = true;
        opens.incrementAndGet();
    }

    @Override
    public void close() {
        quietCall("close device");
        if (live.get() != 0) {
            violations.add("device closed with " + live.get() + " objects left");
        }
        if (!open) {
            violations.add("device closed twice");
        }
        open = false;
        closes.incrementAndGet();
    }

    @Override
    public ProviderProtectionDomain createProtectionDomain() throws RdmaException {
        call("createProtectionDomain");
        return new ScriptedDomain();
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(int entries, CompletionUpcalls target) throws RdmaException {
        call("createCompletionQueue");
        return new ScriptedCompletionQueue(entries, target);
    }

    @Override
    public ProviderListener listen(
            PortSpace portSpace, InetSocketAddress local, int backlog, EndpointOptions options, ListenerUpcalls target)
            throws RdmaException {
        call("listen");
        ScriptedListener listener = new ScriptedListener(local, target);
        listeners.add(listener);
        call("listening");
        return listener;
    }

    @Override
    public Endpoint resolve(
            PortSpace portSpace,
            InetSocketAddress source,
            InetSocketAddress destination,
            Duration timeout,
            EndpointOptions options,
            EndpointUpcalls target)
            throws RdmaException {
        ScriptedEndpoint endpoint = new ScriptedEndpoint(source, destination, target);
        endpoints.add(endpoint);
        boolean made = false;
        try {
            call("resolve");
            made = true;
        } finally {
            if (!made) {
                endpoints.remove(endpoint);
                live.decrementAndGet();
            }
        }
        return endpoint;
    }

    @Override
    public ProviderPathQuery queryPath(
            InetAddress source, InetAddress destination, Duration timeout, PathUpcalls target) throws RdmaException {
        call("queryPath");
        ScriptedQuery query = new ScriptedQuery(target);
        queries.add(query);
        return query;
    }

    /** A listener; {@link #request} is a peer. */
    public final class ScriptedListener extends Closeable implements ProviderListener {
        private final InetSocketAddress local;
        public final ListenerUpcalls upcalls;

        ScriptedListener(InetSocketAddress local, ListenerUpcalls upcalls) {
            super("listener");
            this.local = local;
            this.upcalls = upcalls;
        }

        @Override
        public InetSocketAddress localAddress() {
            return local;
        }

        /** Raises a request; null if core has refused it. */
        public ScriptedEndpoint request(ConnectionParameters parameters) {
            ScriptedEndpoint endpoint = new ScriptedEndpoint(local, new InetSocketAddress("192.0.2.99", 4000), null);
            EndpointUpcalls taken = upcalls.request(endpoint, parameters);
            if (taken == null) {
                live.decrementAndGet();
                return null;
            }
            endpoint.upcalls = taken;
            endpoints.add(endpoint);
            return endpoint;
        }

        public ScriptedEndpoint request() {
            return request(ConnectionParameters.defaults().withResources(4, 4));
        }
    }

    /** An endpoint; the test raises its upcalls. */
    public final class ScriptedEndpoint extends Closeable implements Endpoint {
        private final InetSocketAddress local;
        private final InetSocketAddress peer;
        public volatile EndpointUpcalls upcalls;
        public final List<String> calls = new CopyOnWriteArrayList<>();
        public volatile ConnectionParameters told;
        public volatile ScriptedQueuePair queuePair;

        ScriptedEndpoint(InetSocketAddress local, InetSocketAddress peer, EndpointUpcalls upcalls) {
            super("endpoint");
            this.local = local;
            this.peer = peer;
            this.upcalls = upcalls;
        }

        private void enterCall(String what) throws RdmaException {
            calls.add(what);
            enter(what);
        }

        @Override
        public InetSocketAddress localAddress() {
            quietCall("localAddress");
            return local;
        }

        @Override
        public InetSocketAddress peerAddress() {
            return peer;
        }

        @Override
        public void resolveRoute(Duration timeout) throws RdmaException {
            enterCall("resolveRoute");
        }

        @Override
        public ProviderQueuePair createQueuePair(QueuePairResources resources, QueuePairConfiguration configuration)
                throws RdmaException {
            enterCall("createQueuePair");
            queuePair = new ScriptedQueuePair(resources);
            return queuePair;
        }

        @Override
        public void connect(ConnectionParameters parameters) throws RdmaException {
            told = parameters;
            enterCall("connect");
        }

        @Override
        public void establish() throws RdmaException {
            enterCall("establish");
        }

        @Override
        public void accept(ConnectionParameters parameters) throws RdmaException {
            told = parameters;
            enterCall("accept");
        }

        @Override
        public void reject(ByteBuffer privateData) throws RdmaException {
            enterCall("reject");
        }

        @Override
        public void disconnect() throws RdmaException {
            enterCall("disconnect");
        }

        @Override
        public void close() {
            calls.add("close");
            if (queuePair != null && !queuePair.closed) {
                violations.add("endpoint closed before its queue pair");
            }
            super.close();
        }
    }

    /** A domain whose regions remember whether they are closed. */
    final class ScriptedDomain extends Closeable implements ProviderProtectionDomain {
        ScriptedDomain() {
            super("protection domain");
        }

        @Override
        public ProviderMemoryRegion registerMemory(ByteBuffer buffer, Set<Access> access) throws RdmaException {
            enter("registerMemory");
            return new ScriptedRegion();
        }

        @Override
        public ProviderSharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxSegments) {
            throw new AssertionError("not offered");
        }
    }

    /** A region. */
    final class ScriptedRegion extends Closeable implements ProviderMemoryRegion {
        private final int key = numbers.incrementAndGet();

        ScriptedRegion() {
            super("memory region");
        }

        @Override
        public long remoteAddress() {
            return key * 4096L;
        }

        @Override
        public int remoteKey() {
            return key;
        }
    }

    /** A completion queue. */
    public final class ScriptedCompletionQueue extends Closeable implements ProviderCompletionQueue {
        private final int entries;
        public final CompletionUpcalls upcalls;
        final ConcurrentLinkedQueue<long[]> completions = new ConcurrentLinkedQueue<>();

        ScriptedCompletionQueue(int entries, CompletionUpcalls upcalls) {
            super("completion queue");
            this.entries = entries;
            this.upcalls = upcalls;
        }

        @Override
        public int entries() {
            return entries;
        }

        @Override
        public int poll(CompletionSink sink, int max) throws RdmaException {
            enter("poll");
            int taken = 0;
            for (long[] next = completions.poll(); next != null; next = taken < max ? completions.poll() : null) {
                sink.completion(
                        next[0],
                        WorkCompletionStatus.values()[(int) next[1]],
                        WorkCompletionOperation.RECEIVE,
                        0,
                        (int) next[2],
                        0,
                        0,
                        0);
                if (++taken == max) {
                    break;
                }
            }
            return taken;
        }

        @Override
        public void requestNotification(boolean solicitedOnly) throws RdmaException {
            enter("requestNotification");
        }
    }

    /** A queue pair whose receives stay outstanding until it fails. */
    public final class ScriptedQueuePair extends Closeable implements ProviderQueuePair {
        private final int number = numbers.incrementAndGet();
        private final QueuePairResources resources;
        private final ConcurrentLinkedQueue<Long> outstanding = new ConcurrentLinkedQueue<>();
        public volatile QueuePairState state = QueuePairState.INITIALIZED;

        ScriptedQueuePair(QueuePairResources resources) {
            super("queue pair");
            this.resources = resources;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public QueuePairState state() {
            return state;
        }

        @Override
        public void postSend(SendRequest request) throws RdmaException {
            enter("postSend");
            outstanding.add(request.workRequestId());
            flushIfFailed();
        }

        @Override
        public void postReceive(ReceiveRequest request) throws RdmaException {
            enter("postReceive");
            outstanding.add(request.workRequestId());
            flushIfFailed();
        }

        @Override
        public void fail() throws RdmaException {
            enter("fail");
            state = QueuePairState.ERROR;
            flushIfFailed();
        }

        private void flushIfFailed() {
            if (state == QueuePairState.ERROR) {
                ScriptedCompletionQueue queue = (ScriptedCompletionQueue) resources.receiveCompletionQueue();
                for (Long id = outstanding.poll(); id != null; id = outstanding.poll()) {
                    queue.completions.add(new long[] {id, WorkCompletionStatus.FLUSHED.ordinal(), number});
                }
            }
        }

        @Override
        public void readCounters(CounterSink sink) {
            try {
                enter("readCounters of a queue pair");
            } catch (RdmaException impossible) {
                throw new IllegalStateException(impossible);
            }
            counters.forEach(sink::count);
        }

        @Override
        public boolean hasOutstandingWork() {
            return !outstanding.isEmpty();
        }

        @Override
        public void close() {
            state = QueuePairState.ERROR;
            flushIfFailed();
            super.close();
        }
    }

    /** A path query. */
    public final class ScriptedQuery extends Closeable implements ProviderPathQuery {
        public final PathUpcalls upcalls;

        ScriptedQuery(PathUpcalls upcalls) {
            super("path query");
            this.upcalls = upcalls;
        }
    }
}
