package org.verbena.rdma.benchmarks.iwarp;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;

/**
 * Connections one after the other, each the whole life of a client's id: created, resolved, with a queue pair, connected,
 * disconnected, destroyed. Both sides act in their callbacks.
 */
final class IwarpConnects implements Contender {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final long SECONDS = 60;

    /** So that a run does not take all ports of the machine. */
    private static final int MOST = 2_000;

    /** One connection. */
    interface Connect {
        void run() throws Exception;
    }

    private Effort effort;
    private Machine machine;
    private CmId listener;
    private ProtectionDomain domain;
    private QueuePairConfiguration configuration;
    private volatile CountDownLatch ended;

    @Override
    public String name() {
        return "iWARP";
    }

    @Override
    public void prepare(Effort chosen) throws Exception {
        effort = chosen;
        machine = new Machine(true);
        domain = machine.device().createProtectionDomain();
        CompletionQueue queue = machine.device().createCompletionQueue(1_024, null);
        configuration = QueuePairConfiguration.reliable(queue);
        listener = machine.connectionManager().createId(PortSpace.TCP, this::onServerEvent);
        listener.bindAddress(new InetSocketAddress(Sockets.LOOPBACK, 0));
        listener.listen(0);
    }

    private Verdict onServerEvent(CmEvent event) throws RdmaException {
        switch (event.type()) {
            case CONNECT_REQUEST -> {
                event.id().createQueuePair(domain, configuration);
                event.id().accept(ConnectionParameters.defaults());
            }
            case ESTABLISHED -> {}
            default -> {
                ended.countDown();
                return Verdict.DESTROY;
            }
        }
        return Verdict.KEEP;
    }

    private Verdict onClientEvent(CmEvent event) throws RdmaException {
        CmId id = event.id();
        switch (event.type()) {
            case ADDR_RESOLVED -> id.resolveRoute(TIMEOUT);
            case ROUTE_RESOLVED -> {
                id.createQueuePair(domain, configuration);
                id.connect(ConnectionParameters.defaults());
            }
            case ESTABLISHED -> id.disconnect();
            default -> {
                ended.countDown();
                return Verdict.DESTROY;
            }
        }
        return Verdict.KEEP;
    }

    @Override
    public double measure() throws Exception {
        return rate(effort, this::connect);
    }

    private void connect() throws Exception {
        ended = new CountDownLatch(2);
        CmId id = machine.connectionManager().createId(PortSpace.TCP, this::onClientEvent);
        id.resolveAddress(null, listener.localAddress(), TIMEOUT);
        if (!ended.await(SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("a connection has not come to its end: " + id.state());
        }
        id.destroyed().toCompletableFuture().join();
    }

    /** Connections per second. */
    static double rate(Effort effort, Connect connect) throws Exception {
        long start = System.nanoTime();
        long end = start + effort.slice().toNanos();
        int done = 0;
        long now;
        do {
            connect.run();
            done++;
            now = System.nanoTime();
        } while (now < end && done < MOST);
        return done * 1e9 / (now - start);
    }

    @Override
    public void close() {
        machine.close();
    }
}
