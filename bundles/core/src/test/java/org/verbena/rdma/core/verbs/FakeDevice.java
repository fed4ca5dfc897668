package org.verbena.rdma.core.verbs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.rdma.Access;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.Transport;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.spi.CompletionUpcalls;
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

/**
 * A provider that carries nothing out but watches how it is used. A test can hook a call by its name, such as
 * {@code postSend} or {@code close memory region}, to stop it or to let it fail.
 */
final class FakeDevice implements ProviderDevice {
    /** What a test does inside a call. */
    interface Hook {
        void run() throws RdmaException;
    }

    private final Map<String, Hook> hooks = new ConcurrentHashMap<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final Queue<FakeObject> objects = new ConcurrentLinkedQueue<>();
    private final List<String> closes = new ArrayList<>();
    private final AtomicInteger numbers = new AtomicInteger(100);
    final Set<DeviceCapability> capabilities = ConcurrentHashMap.newKeySet();

    FakeDevice() {
        capabilities.addAll(List.of(DeviceCapability.values()));
    }

    // What tests do

    void on(String call, Hook hook) {
        hooks.put(call, hook);
    }

    void off(String call) {
        hooks.remove(call);
    }

    /** What was done that must not be done. */
    List<String> violations() {
        return List.copyOf(violations);
    }

    /** The kinds of objects that were closed, in order. */
    List<String> closes() {
        synchronized (closes) {
            return List.copyOf(closes);
        }
    }

    /** How many objects are open. */
    int open() {
        return objects.size();
    }

    Endpoint endpoint() {
        return new FakeEndpoint();
    }

    // What fakes do

    void violation(String what) {
        violations.add(what);
    }

    void made(FakeObject object) {
        objects.add(object);
    }

    void closed(FakeObject object) {
        objects.remove(object);
        synchronized (closes) {
            closes.add(object.kind);
        }
    }

    /** Runs the hook of a call that declares no exception. */
    void hook(String call) {
        Hook hook = hooks.get(call);
        if (hook != null) {
            try {
                hook.run();
            } catch (RdmaException e) {
                throw new AssertionError(e);
            }
        }
    }

    void checkedHook(String call) throws RdmaException {
        Hook hook = hooks.get(call);
        if (hook != null) {
            hook.run();
        }
    }

    int nextNumber() {
        return numbers.incrementAndGet();
    }

    // The device

    @Override
    public String name() {
        return "fake0";
    }

    @Override
    public DeviceAttributes attributes() {
        return new DeviceAttributes() {
            @Override
            public String provider() {
                return "fake";
            }

            @Override
            public Transport transport() {
                return Transport.IWARP;
            }

            @Override
            public int maxSegments() {
                return 4;
            }

            @Override
            public int maxWorkRequests() {
                return 1_000;
            }

            @Override
            public int maxCompletionQueueEntries() {
                return 10_000;
            }

            @Override
            public int maxInlineData() {
                return 64;
            }

            @Override
            public long maxMessageSize() {
                return 4_096;
            }

            @Override
            public long maxRegionSize() {
                return 1 << 20;
            }

            @Override
            public int maxPrivateData(PrivateDataCarrier message) {
                return 56;
            }

            @Override
            public boolean supports(DeviceCapability capability) {
                return capabilities.contains(capability);
            }
        };
    }

    @Override
    public List<InetAddress> addresses() {
        return List.of();
    }

    @Override
    public void open(DeviceUpcalls upcalls) {
        // not used
    }

    @Override
    public void close() {
        // not used
    }

    @Override
    public ProviderProtectionDomain createProtectionDomain() throws RdmaException {
        checkedHook("createProtectionDomain");
        return new FakeDomain();
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(int entries, CompletionUpcalls upcalls) throws RdmaException {
        checkedHook("createCompletionQueue");
        return new FakeCompletionQueue(this, entries, upcalls);
    }

    @Override
    public ProviderListener listen(
            PortSpace portSpace,
            InetSocketAddress local,
            int backlog,
            EndpointOptions options,
            ListenerUpcalls upcalls) {
        throw new UnsupportedOperationException("not used");
    }

    @Override
    public Endpoint resolve(
            PortSpace portSpace,
            InetSocketAddress source,
            InetSocketAddress destination,
            Duration timeout,
            EndpointOptions options,
            EndpointUpcalls upcalls) {
        throw new UnsupportedOperationException("not used");
    }

    @Override
    public ProviderPathQuery queryPath(
            InetAddress source, InetAddress destination, Duration timeout, PathUpcalls upcalls) {
        throw new UnsupportedOperationException("not used");
    }

    /** A domain. */
    final class FakeDomain extends FakeObject implements ProviderProtectionDomain {
        FakeDomain() {
            super(FakeDevice.this, "protection domain");
        }

        @Override
        public ProviderMemoryRegion registerMemory(ByteBuffer buffer, Set<Access> access) throws RdmaException {
            begin("registerMemory");
            try {
                checkedHook("registerMemory");
                return new FakeRegion(buffer);
            } finally {
                end("registerMemory");
            }
        }

        @Override
        public ProviderSharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxSegments)
                throws RdmaException {
            begin("createSharedReceiveQueue");
            try {
                checkedHook("createSharedReceiveQueue");
                return new FakeSharedReceiveQueue();
            } finally {
                end("createSharedReceiveQueue");
            }
        }

        @Override
        public void close() {
            closing();
        }
    }

    /** A region. */
    final class FakeRegion extends FakeObject implements ProviderMemoryRegion {
        final ByteBuffer buffer;
        private final int key = nextNumber();

        FakeRegion(ByteBuffer buffer) {
            super(FakeDevice.this, "memory region");
            this.buffer = buffer;
        }

        @Override
        public long remoteAddress() {
            return 0x1000L * key;
        }

        @Override
        public int remoteKey() {
            return key;
        }

        @Override
        public void close() {
            closing();
        }
    }

    /** A shared receive queue. */
    final class FakeSharedReceiveQueue extends FakeObject implements ProviderSharedReceiveQueue {
        FakeSharedReceiveQueue() {
            super(FakeDevice.this, "shared receive queue");
        }

        @Override
        public void postReceive(ReceiveRequest request) throws RdmaException {
            begin("postReceive");
            FakeQueuePair.beginRegions(request);
            try {
                checkedHook("postReceive");
            } finally {
                FakeQueuePair.endRegions(request);
                end("postReceive");
            }
        }

        @Override
        public void close() {
            closing();
        }
    }

    /** An endpoint that makes queue pairs and nothing else. */
    private final class FakeEndpoint implements Endpoint {
        @Override
        public InetSocketAddress localAddress() {
            throw new UnsupportedOperationException("not used");
        }

        @Override
        public InetSocketAddress peerAddress() {
            throw new UnsupportedOperationException("not used");
        }

        @Override
        public void resolveRoute(Duration timeout) {
            throw new UnsupportedOperationException("not used");
        }

        @Override
        public ProviderQueuePair createQueuePair(QueuePairResources resources, QueuePairConfiguration configuration)
                throws RdmaException {
            begin(resources.protectionDomain());
            begin(resources.sendCompletionQueue());
            try {
                checkedHook("createQueuePair");
                return new FakeQueuePair(FakeDevice.this, resources, configuration);
            } finally {
                ((FakeObject) resources.sendCompletionQueue()).end("createQueuePair");
                ((FakeObject) resources.protectionDomain()).end("createQueuePair");
            }
        }

        private void begin(Object used) {
            ((FakeObject) used).begin("createQueuePair");
        }

        @Override
        public void connect(ConnectionParameters parameters) {
            throw new UnsupportedOperationException("not used");
        }

        @Override
        public void establish() {
            throw new UnsupportedOperationException("not used");
        }

        @Override
        public void accept(ConnectionParameters parameters) {
            throw new UnsupportedOperationException("not used");
        }

        @Override
        public void reject(ByteBuffer privateData) {
            throw new UnsupportedOperationException("not used");
        }

        @Override
        public void disconnect() {
            throw new UnsupportedOperationException("not used");
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException("not used");
        }
    }

    /** An error as a provider reports it. */
    static RdmaException noMemory() {
        return new RdmaException(RdmaError.NO_MEMORY, "the queue is full");
    }
}
