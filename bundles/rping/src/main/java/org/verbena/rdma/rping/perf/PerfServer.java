package org.verbena.rdma.rping.perf;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.rping.run.Console;
import org.verbena.rdma.rping.run.Serving;
import org.verbena.rdma.rping.sentences.Addresses;
import org.verbena.rdma.rping.wire.PingFailedException;

/** Answers clients until it is stopped: sends back what comes, or lets its memory be written. */
public final class PerfServer implements Serving {
    private static final int DEPTH = 4;

    private final ConnectionManager connectionManager;
    private final PerfSettings settings;
    private final Console console;
    private final Set<CmId> clients = ConcurrentHashMap.newKeySet();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CompletableFuture<Integer> listening = new CompletableFuture<>();
    private volatile boolean done;
    private volatile CmId listener;

    /**
     * Makes a server that does not listen yet.
     *
     * @param connectionManager makes its ids
     * @param settings where to listen
     * @param console where to print to
     */
    public PerfServer(ConnectionManager connectionManager, PerfSettings settings, Console console) {
        this.connectionManager = connectionManager;
        this.settings = settings;
        this.console = console;
    }

    private void listen() throws RdmaException {
        CmId id = connectionManager.createId(PortSpace.TCP, this::onListenerEvent);
        listener = id;
        id.bindAddress(settings.server());
        id.listen(0);
        console.print("listening on " + Addresses.text(id.localAddress()));
        listening.complete(id.localAddress().getPort());
    }

    @Override
    public int run() throws RdmaException, InterruptedException, PingFailedException {
        try {
            listen();
            stop.await();
            if (done) {
                return 0;
            }
            throw new PingFailedException("the server was stopped");
        } finally {
            end();
        }
    }

    @Override
    public CompletableFuture<Integer> listening() {
        return listening;
    }

    @Override
    public void clientLeft() {
        done = true;
        stop.countDown();
    }

    @Override
    public void stop() {
        stop.countDown();
    }

    /** Destroys all ids; not inside of callbacks. */
    private void end() {
        CmId made = listener;
        if (made != null) {
            made.destroy();
        }
        clients.forEach(CmId::destroy);
    }

    private Verdict onListenerEvent(CmEvent event) {
        if (event.type() == CmEventType.DEVICE_REMOVAL) {
            console.error("the device of the listener was removed");
            stop.countDown();
            return Verdict.DESTROY;
        }
        return event.type() == CmEventType.CONNECT_REQUEST ? accept(event) : Verdict.KEEP;
    }

    private Verdict accept(CmEvent event) {
        CmId id = event.id();
        PerfRequest request = PerfRequest.decode(event.parameters().privateData());
        if (request == null) {
            console.error("a client at " + Addresses.text(id.peerAddress()) + " is none of perf");
            return Verdict.DESTROY;
        }
        try {
            Link link = new Link(id.device(), request.size(), DEPTH, Link.FOR_EVER);
            clients.add(id);
            id.destroyed().thenRun(() -> {
                clients.remove(id);
                link.close();
            });
            link.open(id);
            link.postReceive();
            id.handler(later -> onClientEvent(later, link, request));
            id.accept(ConnectionParameters.defaults().withPrivateData(link.advertise()));
            return Verdict.KEEP;
        } catch (RdmaException failed) {
            console.error(failed.getMessage());
            return Verdict.DESTROY;
        }
    }

    private Verdict onClientEvent(CmEvent event, Link link, PerfRequest request) {
        if (event.type() != CmEventType.ESTABLISHED) {
            return Verdict.DESTROY;
        }
        if (request.measure() == PerfRequest.Measure.LATENCY) {
            Thread echo = new Thread(() -> echo(link), "rdma perf: server");
            echo.setDaemon(true);
            echo.start();
        }
        return Verdict.KEEP;
    }

    private void echo(Link link) {
        try {
            link.awaitFirstReceive();
            while (true) {
                link.postReceive();
                link.send();
                link.awaitReceive();
            }
        } catch (RdmaException | PingFailedException | IllegalStateException ended) {
            console.step("a client has left: " + ended.getMessage());
        } catch (InterruptedException nobodys) {
            Thread.currentThread().interrupt();
        }
    }
}
