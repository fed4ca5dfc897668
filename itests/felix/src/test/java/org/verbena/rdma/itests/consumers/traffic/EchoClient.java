// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.traffic;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceScope;
import org.verbena.rdma.DeviceRemovedException;
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
 * Connects to the {@link EchoServer} again and again, with some pings each time, at each of its destinations on a thread
 * of its own. Whatever becomes of a connection, the next one is tried; but the end of a connection must be told.
 */
@Component(
        immediate = true,
        service = {})
public final class EchoClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int PINGS = 8;

    private final ConnectionManager connectionManager;
    private final Ledger ledger;
    private final List<Thread> workers;
    private volatile boolean stopped;

    @Activate
    public EchoClient(
            @Reference(scope = ReferenceScope.PROTOTYPE_REQUIRED) ConnectionManager connectionManager,
            @Reference(target = "(ledger=traffic)") Map.Entry<Map<String, Object>, Consumer<String>> entries) {
        this.connectionManager = connectionManager;
        ledger = new Ledger(entries.getValue());
        workers = Stream.of((String[]) entries.getKey().get("destinations"))
                .map(destination -> new InetSocketAddress(
                        destination, (int) entries.getKey().get("port")))
                .map(destination -> new Thread(() -> work(destination), "echo client"))
                .toList();
        workers.forEach(Thread::start);
    }

    @Deactivate
    void stop() throws InterruptedException {
        stopped = true;
        workers.forEach(Thread::interrupt);
        for (Thread worker : workers) {
            worker.join();
        }
    }

    private void work(InetSocketAddress destination) {
        while (!stopped) {
            try {
                ledger.count("ready");
                converse(destination);
                ledger.count("conversations with " + destination.getAddress().getHostAddress());
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
            TimeUnit.MILLISECONDS.sleep(2);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void converse(InetSocketAddress destination) throws IOException {
        BlockingQueue<CmEvent> events = new LinkedBlockingQueue<>();
        WatchedHandler handler = WatchedHandler.client(event -> take(event, events), ledger);
        CmId id = connectionManager.createId(PortSpace.TCP, handler);
        Link link = null;
        try {
            id.resolveAddress(null, destination, TIMEOUT);
            await(CmEventType.ADDR_RESOLVED, events, handler);
            id.resolveRoute(TIMEOUT);
            await(CmEventType.ROUTE_RESOLVED, events, handler);
            link = new Link(id);
            id.connect(ConnectionParameters.defaults());
            await(CmEventType.ESTABLISHED, events, handler);
            exchange(link, events, handler);
            id.disconnect();
            await(CmEventType.DISCONNECTED, events, handler);
        } catch (DeviceRemovedException removed) {
            if (handler.isBound()) {
                awaitEnd(CmEventType.DEVICE_REMOVAL, events, handler);
            }
            throw removed;
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

    private void exchange(Link link, BlockingQueue<CmEvent> events, WatchedHandler handler) throws IOException {
        long first = System.nanoTime();
        try {
            for (int ping = 0; ping < PINGS; ping++) {
                if (!link.ping(first + ping, 1 + (ping * 293) % Link.MAX_DATA)) {
                    ledger.problem("the client has found other data than was written");
                }
                ledger.count("pings");
            }
        } catch (DeviceRemovedException | InterruptedIOException removedOrStopped) {
            throw removedOrStopped;
        } catch (RdmaException broken) {
            awaitEnd(CmEventType.DISCONNECTED, events, handler);
            throw broken;
        }
    }

    private void await(CmEventType wanted, BlockingQueue<CmEvent> events, WatchedHandler handler) throws IOException {
        CmEvent event = next(events, wanted, handler);
        while (event.type() == CmEventType.ADDR_CHANGE) {
            event = next(events, wanted, handler);
        }
        if (event.type() != wanted) {
            ledger.count(event.type().name());
            throw new RdmaException(event.status(), event.type() + " instead of " + wanted);
        }
    }

    /** Waits until the id is told why it cannot be used any more: of the removal always, of another end unless that comes first. */
    private void awaitEnd(CmEventType wanted, BlockingQueue<CmEvent> events, WatchedHandler handler)
            throws IOException {
        CmEventType told = next(events, wanted, handler).type();
        while (told != wanted && told != CmEventType.DEVICE_REMOVAL) {
            told = next(events, wanted, handler).type();
        }
        ledger.count(told.name());
    }

    private CmEvent next(BlockingQueue<CmEvent> events, CmEventType wanted, WatchedHandler handler) throws IOException {
        CmEvent event;
        try {
            event = events.poll(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            throw new InterruptedIOException("told to stop");
        }
        if (event == null) {
            ledger.problem("no event where " + wanted + " was due: " + handler);
            throw new RdmaException(RdmaError.TIMED_OUT, wanted.name());
        }
        return event;
    }
}
