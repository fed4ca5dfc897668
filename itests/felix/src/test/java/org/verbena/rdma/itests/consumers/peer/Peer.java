// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.peer;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler;
import org.verbena.rdma.cm.PortSpace;

/**
 * A consumer that listens and connects when a test tells it to, writes down every event, and lets the test act inside of
 * its callbacks. It talks to the test in types of the JDK: an operation and its arguments.
 *
 * <p>Ids have labels: {@code listener}, {@code client}, {@code child}, each with a number.
 */
final class Peer implements BiFunction<String, List<?>, Object> {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ConnectionManager connectionManager;
    private final Map<String, CmId> ids = new ConcurrentHashMap<>();
    private final Map<CmId, CompletionChannel> channels = new ConcurrentHashMap<>();
    private final AtomicInteger number = new AtomicInteger();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private volatile BiConsumer<String, Runnable> hook = (event, destroy) -> {};

    Peer(ConnectionManager connectionManager) {
        this.connectionManager = connectionManager;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Object apply(String operation, List<?> arguments) {
        try {
            return switch (operation) {
                case "listen" -> listen((String) arguments.get(0), (Integer) arguments.get(1));
                case "connect" ->
                    connect((String) arguments.get(0), (String) arguments.get(1), (Integer) arguments.get(2));
                case "awaitCompletion" -> awaitCompletion((String) arguments.get(0));
                case "destroy" -> destroy((String) arguments.get(0));
                case "state" -> id((String) arguments.get(0)).state().name();
                case "events" -> events;
                case "hook" -> hook = (BiConsumer<String, Runnable>) arguments.get(0);
                default -> throw new IllegalArgumentException(operation);
            };
        } catch (RdmaException failed) {
            throw new IllegalStateException(operation + " has failed: " + failed, failed);
        }
    }

    private CmId id(String label) {
        return ids.get(label);
    }

    private int listen(String address, int port) throws RdmaException {
        String label = label("listener");
        CmId id = connectionManager.createId(PortSpace.TCP, event -> onEvent(label, event));
        ids.put(label, id);
        id.bindAddress(new InetSocketAddress(address, port));
        id.listen(0);
        return id.localAddress().getPort();
    }

    private String connect(String source, String destination, int port) throws RdmaException {
        String label = label("client");
        CmId id = connectionManager.createId(PortSpace.TCP, event -> onEvent(label, event));
        ids.put(label, id);
        id.resolveAddress(new InetSocketAddress(source, 0), new InetSocketAddress(destination, port), TIMEOUT);
        return label;
    }

    /** Waits on the channel of a connection, and tells what has ended the waiting. */
    private String awaitCompletion(String label) {
        try {
            return "" + channels.get(id(label)).await(TIMEOUT.multipliedBy(3));
        } catch (InterruptedException | RdmaException woken) {
            return woken.toString();
        }
    }

    private String destroy(String label) {
        id(label).destroy();
        return label;
    }

    private String label(String kind) {
        return kind + " " + number.incrementAndGet();
    }

    private EventHandler.Verdict onEvent(String owner, CmEvent event) throws RdmaException {
        String label = event.type() == CmEventType.CONNECT_REQUEST ? child(event.id()) : owner;
        events.add(label + " " + event.type());
        hook.accept(label + " " + event.type(), event.id()::destroy);
        try {
            return react(event);
        } catch (DeviceRemovedException removed) {
            // DEVICE_REMOVAL comes next.
            return EventHandler.Verdict.KEEP;
        }
    }

    private String child(CmId id) {
        String label = label("child");
        ids.put(label, id);
        id.handler(event -> onEvent(label, event));
        return label;
    }

    private EventHandler.Verdict react(CmEvent event) throws RdmaException {
        CmId id = event.id();
        switch (event.type()) {
            case CONNECT_REQUEST -> {
                createQueuePair(id);
                id.accept(ConnectionParameters.defaults());
            }
            case ADDR_RESOLVED -> id.resolveRoute(TIMEOUT);
            case ROUTE_RESOLVED -> {
                createQueuePair(id);
                id.connect(ConnectionParameters.defaults());
            }
            case ESTABLISHED, ADDR_CHANGE -> {}
            default -> {
                return EventHandler.Verdict.DESTROY;
            }
        }
        return EventHandler.Verdict.KEEP;
    }

    private void createQueuePair(CmId id) throws RdmaException {
        RdmaDevice device = id.device();
        ProtectionDomain domain = device.createProtectionDomain();
        CompletionChannel channel = device.createCompletionChannel();
        channels.put(id, channel);
        CompletionQueue completions = device.createCompletionQueue(64, channel);
        id.createQueuePair(domain, QueuePairConfiguration.reliable(completions));
    }
}
