package org.verbena.rdma.benchmarks.core;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedTransferQueue;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Goal;
import org.verbena.rdma.benchmarks.Row;
import org.verbena.rdma.benchmarks.Samples;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.loopback.DeviceConfiguration;
import org.verbena.rdma.provider.loopback.LoopbackNetwork;

/**
 * Connections over the loopback provider, one after the other: either from connect until both sides have seen the end, or
 * the whole life of the client's id, from its creation until it is destroyed. Both sides act in their callbacks. The
 * median of many.
 *
 * <p>The baseline is a number that goes to another thread and back through two queues whose producers wait for the
 * consumer.
 */
public final class ConnectCycle implements Row {
    private static final String ADDRESS = "198.18.0.1";
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final boolean whole;
    private final Samples samples = new Samples();
    private final LinkedTransferQueue<Long> there = new LinkedTransferQueue<>();
    private final LinkedTransferQueue<Long> back = new LinkedTransferQueue<>();
    private Effort effort;
    private Platform platform;
    private LoopbackNetwork network;
    private ProtectionDomain domain;
    private QueuePairConfiguration configuration;
    private InetSocketAddress server;
    private Thread echo;
    private volatile CountDownLatch ended;
    private volatile long connecting;
    /** When the later side has seen the end. */
    private volatile long seen;

    /**
     * Makes the row.
     *
     * @param whole whether to count the whole life of an id
     */
    public ConnectCycle(boolean whole) {
        this.whole = whole;
    }

    @Override
    public String what() {
        return whole
                ? "id created, resolved, connected, disconnected, destroyed, loopback"
                : "connect and disconnect, loopback";
    }

    @Override
    public String unit() {
        return "us";
    }

    @Override
    public String baseline() {
        return "a pair of LinkedTransferQueue hand-offs";
    }

    @Override
    public Goal goal() {
        return whole ? Goal.NONE : Goal.ratioAtMost(4);
    }

    @Override
    public void prepare(Effort chosen) throws Exception {
        effort = chosen;
        platform = new Platform();
        network = new LoopbackNetwork(platform);
        InetAddress address = Platform.address(ADDRESS);
        platform.await(network.add(DeviceConfiguration.of("loop0", address)));
        RdmaDevice device = platform.device("loop0");
        domain = device.createProtectionDomain();
        CompletionQueue queue = device.createCompletionQueue(1024, null);
        configuration = QueuePairConfiguration.reliable(queue).withDepth(1, 1);
        CmId listener = platform.connectionManager().createId(PortSpace.TCP, this::onServerEvent);
        listener.bindAddress(new InetSocketAddress(address, 4711));
        listener.listen(0);
        server = listener.localAddress();
        echo = new Thread(this::echo, "echo");
        echo.setDaemon(true);
        echo.start();
    }

    private Verdict onServerEvent(CmEvent event) throws RdmaException {
        switch (event.type()) {
            case CONNECT_REQUEST -> {
                event.id().createQueuePair(domain, configuration);
                event.id().accept(ConnectionParameters.defaults());
            }
            case ESTABLISHED -> {}
            case DISCONNECTED -> {
                seen = System.nanoTime();
                ended.countDown();
                return Verdict.DESTROY;
            }
            case DEVICE_REMOVAL -> {
                return Verdict.DESTROY;
            }
            default -> throw new IllegalStateException("unexpected: " + event);
        }
        return Verdict.KEEP;
    }

    private Verdict onClientEvent(CmEvent event) throws RdmaException {
        CmId id = event.id();
        switch (event.type()) {
            case ADDR_RESOLVED -> id.resolveRoute(TIMEOUT);
            case ROUTE_RESOLVED -> {
                id.createQueuePair(domain, configuration);
                connecting = System.nanoTime();
                id.connect(ConnectionParameters.defaults());
            }
            case ESTABLISHED -> id.disconnect();
            case DISCONNECTED -> {
                seen = System.nanoTime();
                ended.countDown();
                return Verdict.DESTROY;
            }
            default -> throw new IllegalStateException("unexpected: " + event);
        }
        return Verdict.KEEP;
    }

    @Override
    public double measure() throws Exception {
        samples.clear();
        long end = System.nanoTime() + effort.slice().toNanos();
        do {
            ended = new CountDownLatch(2);
            long start = System.nanoTime();
            CmId id = platform.connectionManager().createId(PortSpace.TCP, this::onClientEvent);
            id.resolveAddress(null, server, TIMEOUT);
            StubIds.await(ended);
            if (whole) {
                id.destroyed().toCompletableFuture().join();
            }
            samples.add(whole ? System.nanoTime() - start : seen - connecting);
        } while (System.nanoTime() < end);
        return samples.median() / 1e3;
    }

    @Override
    public double measureBaseline() throws Exception {
        samples.clear();
        long end = System.nanoTime() + effort.slice().toNanos();
        do {
            long start = System.nanoTime();
            there.transfer(start);
            back.take();
            samples.add(System.nanoTime() - start);
        } while (System.nanoTime() < end);
        return samples.median() / 1e3;
    }

    private void echo() {
        try {
            while (true) {
                back.transfer(there.take());
            }
        } catch (InterruptedException end) {
            return;
        }
    }

    @Override
    public void close() {
        echo.interrupt();
        network.close();
        platform.close();
    }
}
