// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;

/**
 * Connects to an address where nobody answers, which the kernel's siw waits for inside of a call: neither other ids, nor
 * a destroy, nor the removal of the device are held up by that.
 */
final class BlackHole {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(10);
    private static final int LOST = 3;

    private final ConnectionManager connectionManager;
    private final PrintStream out;

    BlackHole(ConnectionManager connectionManager, PrintStream out) {
        this.connectionManager = connectionManager;
        this.out = out;
    }

    /** Runs until the device of {@code own} is pulled. */
    void run(InetSocketAddress own, InetSocketAddress nobody)
            throws RdmaException, PeerFailedException, InterruptedException {
        Events events = new Events();
        CmId[] lost = new CmId[LOST];
        Connection[] connections = new Connection[LOST];
        for (int i = 0; i < LOST; i++) {
            lost[i] = resolved(own, nobody, events);
            connections[i] = new Connection(lost[i], 0, 1);
            lost[i].connect(ConnectionParameters.defaults().withResources(1, 1));
        }
        // A time, not a wait: that nothing comes cannot be waited for.
        Thread.sleep(1000);
        another(own);
        out.println("blackhole: another id connects");

        long start = System.nanoTime();
        connections[0].close();
        out.println("blackhole: destroyed in " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms");
        events.take(CmEventType.DEVICE_REMOVAL);
        events.take(CmEventType.DEVICE_REMOVAL);
    }

    /** Connects to a listener of this program, and ends that. */
    private void another(InetSocketAddress own) throws RdmaException, PeerFailedException, InterruptedException {
        Events served = new Events();
        Events events = new Events();
        CmId listener = connectionManager.createId(PortSpace.TCP, served);
        try {
            listener.bindAddress(own);
            listener.listen(1);
            CmId id = resolved(null, own, events);
            try (Connection connection = new Connection(id, 0, 1)) {
                connection.id().connect(ConnectionParameters.defaults().withResources(1, 1));
                CmId child = served.take(CmEventType.CONNECT_REQUEST).id();
                try (Connection server = new Connection(child, 0, 1)) {
                    server.id().accept(ConnectionParameters.defaults());
                    events.take(CmEventType.ESTABLISHED);
                }
            }
        } finally {
            listener.destroy();
        }
    }

    private CmId resolved(InetSocketAddress source, InetSocketAddress destination, Events events)
            throws RdmaException, PeerFailedException, InterruptedException {
        CmId id = connectionManager.createId(PortSpace.TCP, events);
        id.resolveAddress(
                source == null ? null : new InetSocketAddress(source.getAddress(), 0), destination, RESOLVE_TIMEOUT);
        events.take(CmEventType.ADDR_RESOLVED);
        id.resolveRoute(RESOLVE_TIMEOUT);
        events.take(CmEventType.ROUTE_RESOLVED);
        return id;
    }
}
