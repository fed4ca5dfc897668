// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.reader;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler;
import org.verbena.rdma.cm.PortSpace;

/**
 * Follows devices with a service tracker, which gives a device back as soon as it goes; makes its verbs objects through
 * the device's service, and has receives outstanding on a connection. A test tells it what to do in one word and an
 * argument.
 */
public final class Reader implements BundleActivator, Function<List<String>, String> {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final List<String> events = new CopyOnWriteArrayList<>();
    private ServiceTracker<RdmaDevice, RdmaDevice> devices;
    private ConnectionManager connectionManager;
    private ProtectionDomain domain;
    private MemoryRegion region;
    private CompletionQueue completions;

    @Override
    public void start(BundleContext context) {
        devices = new ServiceTracker<>(context, RdmaDevice.class, null);
        devices.open();
        ServiceReference<ConnectionManager> reference = context.getServiceReference(ConnectionManager.class);
        connectionManager = context.getService(reference);
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("reader", context.getBundle().getSymbolicName());
        context.registerService(Function.class, this, properties);
    }

    @Override
    public void stop(BundleContext context) {
        devices.close();
    }

    @Override
    public String apply(List<String> order) {
        try {
            return switch (order.get(0)) {
                case "connect" -> connect(order.get(1), order.get(2), Integer.parseInt(order.get(3)));
                case "events" -> events.toString();
                case "poll" -> poll().toString();
                case "region" -> region.isOpen() ? "open" : "gone";
                default -> throw new IllegalArgumentException(order.get(0));
            };
        } catch (RdmaException failed) {
            return failed.toString();
        }
    }

    private String connect(String source, String destination, int port) throws RdmaException {
        RdmaDevice device = devices.getService();
        domain = device.createProtectionDomain();
        completions = device.createCompletionQueue(16, null);
        region = domain.registerMemory(ByteBuffer.allocateDirect(64), Set.of(Access.LOCAL_WRITE));
        CmId id = connectionManager.createId(PortSpace.TCP, this::onEvent);
        id.resolveAddress(new InetSocketAddress(source, 0), new InetSocketAddress(destination, port), TIMEOUT);
        return "";
    }

    private EventHandler.Verdict onEvent(CmEvent event) throws RdmaException {
        switch (event.type()) {
            case ADDR_RESOLVED -> event.id().resolveRoute(TIMEOUT);
            case ROUTE_RESOLVED -> {
                event.id().createQueuePair(domain, QueuePairConfiguration.reliable(completions));
                event.id().connect(ConnectionParameters.defaults());
            }
            case ESTABLISHED -> {
                for (int number = 1; number <= 3; number++) {
                    event.id()
                            .queuePair()
                            .postReceive(domain.createReceiveWorkRequest(1)
                                    .workRequestId(number)
                                    .segment(region, 0, 64));
                }
            }
            default -> {
                // The connection is kept: whoever does not let go by itself is forced.
            }
        }
        events.add(event.type() + (region.isOpen() ? "" : " without region"));
        return EventHandler.Verdict.KEEP;
    }

    private List<Long> poll() throws RdmaException {
        WorkCompletions taken = completions.createWorkCompletions(16);
        int count = completions.poll(taken);
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(taken.workRequestId(i));
        }
        return numbers;
    }
}
