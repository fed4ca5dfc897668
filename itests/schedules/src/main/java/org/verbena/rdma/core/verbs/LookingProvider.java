package org.verbena.rdma.core.verbs;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Set;
import org.verbena.rdma.Access;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.ProviderCompletionQueue;
import org.verbena.rdma.spi.ProviderDevice;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderProtectionDomain;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;
import org.verbena.rdma.spi.ReceiveRequest;
import org.verbena.rdma.spi.SendRequest;

/**
 * A provider that looks during each post and poll, for a while, whether what it uses is closed. It has no other state
 * and no synchronization, which would hide what is looked for.
 */
final class LookingProvider {
    private static final int LOOKS = 200;

    /** Whether a post or a poll has used something closed; by the one thread that posts and polls. */
    private boolean usedClosed;

    boolean hasUsedClosed() {
        return usedClosed;
    }

    ProviderDevice device() {
        return make(ProviderDevice.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "name" -> "looking0";
            case "attributes" -> attributes();
            case "createProtectionDomain" -> new Domain();
            case "createCompletionQueue" -> new Completions();
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private static DeviceAttributes attributes() {
        return make(
                DeviceAttributes.class,
                (proxy, method, arguments) -> method.isDefault()
                        ? java.lang.reflect.InvocationHandler.invokeDefault(proxy, method, arguments)
                        : "looking");
    }

    Endpoint endpoint() {
        return make(Endpoint.class, (proxy, method, arguments) -> new Queue());
    }

    private static <T> T make(Class<T> type, java.lang.reflect.InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static final class Domain implements ProviderProtectionDomain {
        @Override
        public ProviderMemoryRegion registerMemory(ByteBuffer buffer, Set<Access> access) {
            return new Region();
        }

        @Override
        public ProviderSharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxSegments) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    private static final class Region implements ProviderMemoryRegion {
        private volatile boolean closed;

        @Override
        public long remoteAddress() {
            return 4096;
        }

        @Override
        public int remoteKey() {
            return 1;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private final class Queue implements ProviderQueuePair {
        private volatile boolean closed;

        @Override
        public int number() {
            return 1;
        }

        @Override
        public QueuePairState state() {
            return QueuePairState.READY;
        }

        @Override
        public void postSend(SendRequest request) {
            Region region = (Region) request.region(0);
            for (int look = 0; look < LOOKS; look++) {
                if (closed || region.closed) {
                    usedClosed = true;
                }
            }
        }

        @Override
        public void postReceive(ReceiveRequest request) {}

        @Override
        public void fail() {}

        @Override
        public boolean hasOutstandingWork() {
            return false;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private final class Completions implements ProviderCompletionQueue {
        private volatile boolean closed;

        @Override
        public int entries() {
            return 16;
        }

        @Override
        public int poll(CompletionSink sink, int most) {
            for (int look = 0; look < LOOKS; look++) {
                if (closed) {
                    usedClosed = true;
                }
            }
            return 0;
        }

        @Override
        public void requestNotification(boolean solicitedOnly) {}

        @Override
        public void close() {
            closed = true;
        }
    }
}
