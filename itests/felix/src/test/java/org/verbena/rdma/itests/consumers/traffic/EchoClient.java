// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.traffic;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceScope;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;

/**
 * Connects to the {@link EchoServer} again and again, with some messages each time, on a thread of its own. Whatever
 * becomes of a connection, the next one is tried.
 */
@Component(
        immediate = true,
        service = {},
        property = "destination=198.18.0.1")
public final class EchoClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MESSAGES = 20;

    private final ConnectionManager connectionManager;
    private final Ledger ledger;
    private final String destination;
    private final Thread worker = new Thread(this::work, "echo client");
    private volatile boolean stopped;

    @Activate
    public EchoClient(
            @Reference(scope = ReferenceScope.PROTOTYPE_REQUIRED) ConnectionManager connectionManager,
            @Reference(target = "(ledger=traffic)") Consumer<String> entries,
            Map<String, Object> properties) {
        this.connectionManager = connectionManager;
        ledger = new Ledger(entries);
        destination = (String) properties.get("destination");
        worker.start();
    }

    @Deactivate
    void stop() throws InterruptedException {
        stopped = true;
        worker.interrupt();
        worker.join();
    }

    private void work() {
        while (!stopped) {
            try {
                converse();
                ledger.count("conversations");
            } catch (IOException | IllegalStateException interrupted) {
                ledger.count("interruptions");
                pause();
            } catch (RuntimeException unexpected) {
                ledger.problem("client: " + unexpected);
                pause();
            }
        }
    }

    /** Lets a machine without devices do something else. */
    private void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void converse() throws IOException {
        BlockingQueue<CmEvent> events = new LinkedBlockingQueue<>();
        WatchedHandler handler = new WatchedHandler("client", event -> take(event, events), ledger);
        CmId id = connectionManager.createId(PortSpace.TCP, handler);
        Link link = null;
        try {
            id.resolveAddress(null, new InetSocketAddress(destination, EchoServer.PORT), TIMEOUT);
            await(CmEventType.ADDR_RESOLVED, events);
            id.resolveRoute(TIMEOUT);
            await(CmEventType.ROUTE_RESOLVED, events);
            link = new Link(id);
            id.connect(ConnectionParameters.defaults());
            await(CmEventType.ESTABLISHED, events);
            exchange(link);
            id.disconnect();
            await(CmEventType.DISCONNECTED, events);
        } finally {
            id.destroy();
            handler.over();
            if (link != null) {
                link.close();
            }
        }
    }

    private static Verdict take(CmEvent event, BlockingQueue<CmEvent> events) {
        events.add(event);
        return Verdict.KEEP;
    }

    private void await(CmEventType wanted, BlockingQueue<CmEvent> events) throws IOException {
        CmEvent event;
        try {
            event = events.poll(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            throw new InterruptedIOException("told to stop");
        }
        if (event == null) {
            ledger.problem("no event where " + wanted + " was due");
            throw new RdmaException(RdmaError.TIMED_OUT, wanted.name());
        }
        if (event.type() != wanted) {
            ledger.count(event.type().name());
            throw new RdmaException(event.status(), event.type() + " instead of " + wanted);
        }
    }

    private void exchange(Link link) throws IOException {
        for (long value = 1; value <= MESSAGES; value++) {
            link.send(value);
            long answer = link.receive();
            if (answer != value + 1) {
                ledger.problem("sent " + value + ", received " + answer);
            }
        }
    }
}
