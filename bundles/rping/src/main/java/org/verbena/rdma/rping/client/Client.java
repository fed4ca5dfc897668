package org.verbena.rdma.rping.client;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.Access;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.rping.sentences.Addresses;
import org.verbena.rdma.rping.sentences.EventSentences;
import org.verbena.rdma.rping.settings.Console;
import org.verbena.rdma.rping.settings.Settings;
import org.verbena.rdma.rping.wire.ConnectionEndedException;
import org.verbena.rdma.rping.wire.DataPath;
import org.verbena.rdma.rping.wire.PingBuffer;
import org.verbena.rdma.rping.wire.PingData;
import org.verbena.rdma.rping.wire.PingFailedException;

/**
 * The client: one connection, driven by the thread that runs it. Events are handed to that thread, so the code reads in
 * the order in which things happen.
 */
public final class Client {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

    /** How long to wait for the event that says why a connection has ended, or that it has. */
    private static final Duration END_TIMEOUT = Duration.ofSeconds(3);

    private final ConnectionManager connectionManager;
    private final Settings settings;
    private final Console console;
    private final BlockingQueue<CmEvent> events = new LinkedBlockingQueue<>();

    private InetSocketAddress server;
    private String device = "none";
    private int done;
    private volatile boolean removed;

    public Client(ConnectionManager connectionManager, Settings settings, Console console) {
        this.connectionManager = connectionManager;
        this.settings = settings;
        this.console = console;
    }

    /** Runs it to its end; returns the exit status. */
    public int run() throws InterruptedException, RdmaException, PingFailedException {
        server = settings.server();
        InetSocketAddress source = settings.client();
        CmId id = connectionManager.createId(PortSpace.TCP, this::onEvent);
        try {
            id.resolveAddress(source, server, RESOLVE_TIMEOUT);
            expect(CmEventType.ADDR_RESOLVED);
            device = id.device().name();
            id.resolveRoute(RESOLVE_TIMEOUT);
            expect(CmEventType.ROUTE_RESOLVED);
            connectAndPing(id);
        } catch (IllegalStateException e) {
            if (!removed) {
                throw e;
            }
            // The handler has destroyed the id between two calls.
            throw new PingFailedException(whyEnded());
        } finally {
            id.destroy();
        }
        console.print(done + (done == 1 ? " ping of " : " pings of ") + settings.size() + " bytes to "
                + Addresses.text(server) + " by device " + device + (settings.verify() ? ", all verified" : ""));
        return 0;
    }

    private void connectAndPing(CmId id) throws InterruptedException, RdmaException, PingFailedException {
        try (DataPath path = new DataPath(id.device())) {
            try {
                PingBuffer source = path.buffer(settings.size(), EnumSet.of(Access.REMOTE_READ));
                PingBuffer sink = path.buffer(settings.size(), EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
                connect(id, path);
                ping(path, source, sink);
                disconnect(id);
            } catch (ConnectionEndedException e) {
                throw new PingFailedException(whyEnded());
            } finally {
                // Before the data path: it is the id that closes the queue pair.
                id.destroy();
            }
        }
    }

    private void connect(CmId id, DataPath path) throws InterruptedException, RdmaException, PingFailedException {
        // The server reads once at a time; nothing is read from it.
        ConnectionParameters parameters = ConnectionParameters.defaults().withResources(1, 1);
        if (settings.lateQueuePair()) {
            id.connect(parameters);
            expect(CmEventType.CONNECT_RESPONSE);
            path.open(id);
            id.establish();
        } else {
            path.open(id);
            id.connect(parameters);
            expect(CmEventType.ESTABLISHED);
        }
        console.step("connected to " + Addresses.text(server) + " by device " + device);
    }

    private void ping(DataPath path, PingBuffer source, PingBuffer sink)
            throws InterruptedException, RdmaException, PingFailedException {
        for (; settings.count() == 0 || done < settings.count(); done++) {
            PingData.fill(source.bytes(), done);
            path.send(source.advertisement());
            path.receive();
            path.send(sink.advertisement());
            path.receive();
            if (settings.verify()) {
                verify(source, sink);
            }
            if (settings.printData()) {
                console.print("ping data: " + PingData.text(sink.bytes(), settings.size()));
            }
        }
    }

    private void verify(PingBuffer source, PingBuffer sink) throws PingFailedException {
        int different = source.bytes().mismatch(sink.bytes());
        if (different >= 0) {
            throw new PingFailedException("ping " + done + " came back changed: byte " + different + " is "
                    + sink.bytes().get(different) + " instead of "
                    + source.bytes().get(different));
        }
    }

    private void disconnect(CmId id) throws RdmaException, InterruptedException {
        id.disconnect();
        for (CmEvent event = next(END_TIMEOUT); event != null; event = next(END_TIMEOUT)) {
            if (event.type() == CmEventType.DISCONNECTED) {
                return;
            }
        }
    }

    private Verdict onEvent(CmEvent event) {
        console.step("event " + event.type());
        removed = removed || event.type() == CmEventType.DEVICE_REMOVAL;
        events.add(event);
        // Destroyed at once the id holds up nobody; the thread that pings is woken as its receive is flushed.
        return removed ? Verdict.DESTROY : Verdict.KEEP;
    }

    private void expect(CmEventType type) throws InterruptedException, PingFailedException {
        CmEvent event = events.take();
        while (event.type() == CmEventType.ADDR_CHANGE) {
            event = events.take();
        }
        if (event.type() != type) {
            throw new PingFailedException(sentence(event));
        }
    }

    private CmEvent next(Duration timeout) throws InterruptedException {
        return events.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private String whyEnded() throws InterruptedException {
        for (CmEvent event = next(END_TIMEOUT); event != null; event = next(END_TIMEOUT)) {
            if (event.type() == CmEventType.DISCONNECTED || event.type() == CmEventType.DEVICE_REMOVAL) {
                return sentence(event);
            }
        }
        return "the connection to " + Addresses.text(server) + " has ended" + afterPings();
    }

    private String sentence(CmEvent event) {
        return EventSentences.of(event, server, device) + (done > 0 ? afterPings() : "");
    }

    private String afterPings() {
        return " after " + done + (done == 1 ? " ping" : " pings");
    }
}
