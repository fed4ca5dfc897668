package org.verbena.rdma.rping.client;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
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
import org.verbena.rdma.rping.run.Console;
import org.verbena.rdma.rping.run.Run;
import org.verbena.rdma.rping.run.Settings;
import org.verbena.rdma.rping.sentences.Addresses;
import org.verbena.rdma.rping.sentences.EventSentences;
import org.verbena.rdma.rping.wire.ConnectionEndedException;
import org.verbena.rdma.rping.wire.DataPath;
import org.verbena.rdma.rping.wire.PingBuffer;
import org.verbena.rdma.rping.wire.PingData;
import org.verbena.rdma.rping.wire.PingFailedException;

/**
 * The client: one connection, driven by the thread that runs it. Events are handed to that thread, so the code reads in
 * the order in which things happen.
 */
public final class Client implements Run {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

    /** How long to wait for the event that says why a connection has ended, or that it has. */
    private static final Duration END_TIMEOUT = Duration.ofSeconds(3);

    private final ConnectionManager connectionManager;
    private final Settings settings;
    private final Console console;
    /** What has happened to the id; nothing stands for the stop. */
    private final BlockingQueue<Optional<CmEvent>> events = new LinkedBlockingQueue<>();

    private InetSocketAddress server;
    private String device = "none";
    private int done;
    private volatile CmId id;
    private volatile boolean removed;
    private volatile boolean stopped;

    public Client(ConnectionManager connectionManager, Settings settings, Console console) {
        this.connectionManager = connectionManager;
        this.settings = settings;
        this.console = console;
    }

    @Override
    public int run() throws InterruptedException, RdmaException, PingFailedException {
        server = settings.server();
        InetSocketAddress source = settings.client();
        id = connectionManager.createId(PortSpace.TCP, this::onEvent);
        try {
            refuseIfStopped();
            id.resolveAddress(source, server, RESOLVE_TIMEOUT);
            expect(CmEventType.ADDR_RESOLVED);
            device = id.device().name();
            id.resolveRoute(RESOLVE_TIMEOUT);
            expect(CmEventType.ROUTE_RESOLVED);
            connectAndPing();
        } catch (IllegalStateException e) {
            if (!removed && !stopped) {
                throw e;
            }
            // The id was destroyed between two calls.
            throw new PingFailedException(whyEnded(removed));
        } finally {
            id.destroy();
        }
        console.print(done + (done == 1 ? " ping of " : " pings of ") + settings.size() + " bytes to "
                + Addresses.text(server) + " by device " + device + (settings.verify() ? ", all verified" : ""));
        return 0;
    }

    @Override
    public void stop() {
        stopped = true;
        events.add(Optional.empty());
        CmId made = id;
        if (made != null) {
            // Flushes what is outstanding, which ends all waiting.
            made.destroy();
        }
    }

    private void connectAndPing() throws InterruptedException, RdmaException, PingFailedException {
        try (DataPath path = new DataPath(id.device())) {
            try {
                PingBuffer source = path.buffer(settings.size(), EnumSet.of(Access.REMOTE_READ));
                PingBuffer sink = path.buffer(settings.size(), EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
                connect(path);
                ping(path, source, sink);
                disconnect();
            } catch (ConnectionEndedException e) {
                throw new PingFailedException(whyEnded(path.deviceIsGoing()));
            } finally {
                // Before the data path: it is the id that closes the queue pair.
                id.destroy();
            }
        }
    }

    private void connect(DataPath path) throws InterruptedException, RdmaException, PingFailedException {
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

    private void disconnect() throws RdmaException, InterruptedException {
        id.disconnect();
        Optional<CmEvent> event = next();
        while (event.isPresent() && event.get().type() != CmEventType.DISCONNECTED) {
            event = next();
        }
    }

    private Verdict onEvent(CmEvent event) {
        console.step("event " + event.type());
        removed = removed || event.type() == CmEventType.DEVICE_REMOVAL;
        events.add(Optional.of(event));
        // Destroyed at once the id holds up nobody; the thread that pings is woken as its receive is flushed.
        return removed ? Verdict.DESTROY : Verdict.KEEP;
    }

    private void expect(CmEventType type) throws InterruptedException, PingFailedException {
        Optional<CmEvent> event = events.take();
        while (event.isPresent() && event.get().type() == CmEventType.ADDR_CHANGE) {
            event = events.take();
        }
        refuseIfStopped();
        if (event.isPresent() && event.get().type() != type) {
            throw new PingFailedException(sentence(event.get()));
        }
    }

    private void refuseIfStopped() throws PingFailedException {
        if (stopped) {
            throw new PingFailedException(whyStopped());
        }
    }

    /** The next event, nothing if there is none in time or this was stopped. */
    private Optional<CmEvent> next() throws InterruptedException {
        Optional<CmEvent> event = events.poll(END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        return event == null ? Optional.empty() : event;
    }

    private String whyEnded(boolean byRemoval) throws InterruptedException {
        for (Optional<CmEvent> event = next(); !stopped && event.isPresent(); event = next()) {
            CmEventType type = event.get().type();
            if (type == CmEventType.DEVICE_REMOVAL || type == CmEventType.DISCONNECTED && !byRemoval) {
                return sentence(event.get());
            }
        }
        return stopped ? whyStopped() : "the connection to " + Addresses.text(server) + " has ended" + afterPings();
    }

    private String whyStopped() {
        return "the client was stopped" + afterPings();
    }

    private String sentence(CmEvent event) {
        return EventSentences.of(event, server, device) + (done > 0 ? afterPings() : "");
    }

    private String afterPings() {
        return " after " + done + (done == 1 ? " ping" : " pings");
    }
}
