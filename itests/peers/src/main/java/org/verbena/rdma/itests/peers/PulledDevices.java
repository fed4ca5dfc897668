// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;

/**
 * Connections of this program to itself over devices that someone else pulls and puts back, one connection of each
 * {@link Behavior} on each address. A line is printed when all connections of an address have traffic, so that the device
 * may be pulled. One wildcard listener serves all of it, from the first round to the last.
 */
final class PulledDevices {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final long AGAIN_MILLIS = 100;

    private final ConnectionManager connectionManager;
    private final PrintStream out;
    private final List<Behavior> behaviors;
    private final Queue<String> broken = new ConcurrentLinkedQueue<>();
    private final Queue<End> served = new ConcurrentLinkedQueue<>();

    PulledDevices(ConnectionManager connectionManager, PrintStream out, List<Behavior> behaviors) {
        this.connectionManager = connectionManager;
        this.out = out;
        this.behaviors = behaviors;
    }

    /** One end of a connection. */
    private record End(InetAddress address, Behavior behavior, RecordedId recorded, TrafficEnd traffic) {
        void await() throws InterruptedException, PeerFailedException {
            recorded.awaitEnd();
            traffic.awaitEnd();
        }
    }

    /** Runs until each address was pulled so many times. */
    void run(List<String> addresses, int port, int rounds)
            throws RdmaException, PeerFailedException, InterruptedException {
        CmId listener = connectionManager.createId(PortSpace.TCP, this::onRequest);
        try {
            listener.bindAddress(new InetSocketAddress(port));
            listener.listen(0);
            List<Thread> threads = new ArrayList<>();
            Queue<PeerFailedException> failures = new ConcurrentLinkedQueue<>();
            for (String address : addresses) {
                Thread thread = new Thread(
                        () -> {
                            try {
                                pull(new InetSocketAddress(address, port), rounds);
                            } catch (RdmaException | PeerFailedException | InterruptedException | RuntimeException e) {
                                failures.add(new PeerFailedException(address + ": " + e));
                            }
                        },
                        "peers: " + address);
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            if (!failures.isEmpty()) {
                throw failures.remove();
            }
            if (!broken.isEmpty()) {
                throw new PeerFailedException(broken.size() + " times the contract was broken: " + broken.remove());
            }
        } finally {
            listener.destroy();
        }
    }

    private void pull(InetSocketAddress server, int rounds)
            throws RdmaException, PeerFailedException, InterruptedException {
        CountDownLatch release = new CountDownLatch(0);
        List<End> last = List.of();
        String host = server.getAddress().getHostAddress();
        for (int round = 1; round <= rounds; round++) {
            String name = host + " round " + round;
            awaitDevice(server);
            release.countDown();
            check(last);
            release = new CountDownLatch(1);
            List<End> clients = new ArrayList<>();
            for (Behavior behavior : behaviors) {
                clients.add(connect(server, name + " client that " + behavior, behavior, release));
            }
            for (End client : clients) {
                client.traffic().awaitTraffic();
            }
            out.println(name + ": traffic");
            last = new ArrayList<>(clients);
            for (End end : served) {
                if (end.address().equals(server.getAddress())) {
                    served.remove(end);
                    last.add(end);
                }
            }
            for (End end : last) {
                if (end.behavior() != Behavior.BLOCKS) {
                    end.await();
                }
            }
            out.println(name + ": over");
        }
        awaitDevice(server);
        release.countDown();
        check(last);
    }

    /** The device is back: what was blocked goes on, and nobody can use what was made on the former. */
    private static void check(List<End> ends) throws InterruptedException, PeerFailedException {
        for (End end : ends) {
            end.await();
            end.traffic().checkRevoked();
        }
    }

    private void awaitDevice(InetSocketAddress server) throws RdmaException, PeerFailedException, InterruptedException {
        resolved(
                        server,
                        new RecordedId(
                                server + " to see whether it is there",
                                Behavior.BEHAVES,
                                new CountDownLatch(0),
                                out,
                                broken))
                .destroy();
    }

    private End connect(InetSocketAddress server, String name, Behavior behavior, CountDownLatch release)
            throws RdmaException, PeerFailedException, InterruptedException {
        RecordedId recorded = new RecordedId(name, behavior, release, out, broken);
        CmId id = resolved(server, recorded);
        recorded.follow(id);
        id.resolveRoute(RESOLVE_TIMEOUT);
        recorded.take(CmEventType.ROUTE_RESOLVED);
        TrafficEnd traffic = new TrafficEnd(name, behavior, broken, id, true);
        id.connect(traffic.parameters());
        traffic.start(recorded.take(CmEventType.ESTABLISHED).privateData());
        return new End(server.getAddress(), behavior, recorded, traffic);
    }

    /** An id with its address resolved; waits for the device. */
    private CmId resolved(InetSocketAddress server, RecordedId recorded)
            throws RdmaException, PeerFailedException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            CmId id = connectionManager.createId(PortSpace.TCP, recorded);
            try {
                id.resolveAddress(null, server, RESOLVE_TIMEOUT);
                recorded.take(CmEventType.ADDR_RESOLVED);
                return id;
            } catch (RdmaException noDevice) {
                id.destroy();
                if (System.nanoTime() > end) {
                    throw noDevice;
                }
                Thread.sleep(AGAIN_MILLIS);
            }
        }
    }

    private Verdict onRequest(CmEvent event) throws RdmaException {
        if (event.type() != CmEventType.CONNECT_REQUEST) {
            broken.add("the wildcard listener is told of " + event.type());
            return Verdict.KEEP;
        }
        ByteBuffer privateData = event.privateData();
        Behavior asked = TrafficEnd.behavior(privateData);
        Behavior behavior = asked == Behavior.BLOCKS ? Behavior.BEHAVES : asked;
        String name = event.id().localAddress() + " server that " + behavior;
        RecordedId recorded = new RecordedId(name, behavior, new CountDownLatch(0), out, broken);
        recorded.follow(event.id());
        TrafficEnd traffic = new TrafficEnd(name, behavior, broken, event.id(), false);
        served.add(new End(event.id().localAddress().getAddress(), behavior, recorded, traffic));
        event.id().handler(told -> {
            if (told.type() == CmEventType.ESTABLISHED) {
                traffic.start(privateData);
            }
            return recorded.onEvent(told);
        });
        event.id().accept(traffic.parameters());
        return Verdict.KEEP;
    }
}
