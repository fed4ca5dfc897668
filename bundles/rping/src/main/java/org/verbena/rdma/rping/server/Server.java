package org.verbena.rdma.rping.server;

import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.rping.run.Console;
import org.verbena.rdma.rping.run.Serving;
import org.verbena.rdma.rping.run.Settings;
import org.verbena.rdma.rping.sentences.Addresses;
import org.verbena.rdma.rping.sentences.EventSentences;
import org.verbena.rdma.rping.wire.PingFailedException;

/**
 * The server: a listener whose callbacks set up connections, and a thread for each connection that is established.
 *
 * <p>A listener on a wildcard address outlives its devices by itself. One on an address of a device goes with the
 * device, and a persistent server listens again when the address is back.
 */
public final class Server implements Serving {
    private static final int STOP_SECONDS = 3;

    /** What the thread that runs the server waits for. */
    private enum End {
        CLIENT_LEFT,
        CLIENT_LOST,
        LISTENER_LOST,
        STOPPED
    }

    private final ConnectionManager connectionManager;
    private final DeviceArrivals arrivals;
    private final Settings settings;
    private final Console console;
    private final Set<ServedClient> clients = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<End> ends = new LinkedBlockingQueue<>();
    private final ExecutorService workers =
            Executors.newCachedThreadPool(work -> new Thread(work, "rping server: client"));

    private final CompletableFuture<Integer> listening = new CompletableFuture<>();

    private volatile boolean stopped;

    public Server(ConnectionManager connectionManager, DeviceArrivals arrivals, Settings settings, Console console) {
        this.connectionManager = connectionManager;
        this.arrivals = arrivals;
        this.settings = settings;
        this.console = console;
    }

    @Override
    public int run() throws InterruptedException, RdmaException, PingFailedException {
        CmId listener = null;
        try {
            listener = listen(settings.server());
            while (true) {
                End end = ends.take();
                refuseIfStopped();
                if (!settings.persistent()) {
                    return end == End.CLIENT_LEFT ? 0 : 1;
                }
                if (end == End.LISTENER_LOST) {
                    listener = listenAgain(listener.localAddress());
                }
            }
        } finally {
            end(listener);
        }
    }

    @Override
    public CompletableFuture<Integer> listening() {
        return listening;
    }

    @Override
    public void clientLeft() {
        // It has seen that itself.
    }

    @Override
    public void stop() {
        stopped = true;
        ends.add(End.STOPPED);
        arrivals.arrived();
    }

    private void refuseIfStopped() throws PingFailedException {
        if (stopped) {
            throw new PingFailedException("the server was stopped");
        }
    }

    private CmId listen(InetSocketAddress address) throws RdmaException {
        CmId id = connectionManager.createId(PortSpace.TCP, this::onEvent);
        try {
            id.bindAddress(address);
            id.listen(0);
            console.print("listening on " + Addresses.text(id.localAddress()));
            listening.complete(id.localAddress().getPort());
            return id;
        } catch (RdmaException | RuntimeException e) {
            id.destroy();
            throw e;
        }
    }

    private CmId listenAgain(InetSocketAddress address)
            throws RdmaException, PingFailedException, InterruptedException {
        console.print("waiting for " + address.getAddress().getHostAddress() + " to come back");
        while (true) {
            long seen = arrivals.count();
            refuseIfStopped();
            try {
                return listen(address);
            } catch (RdmaException e) {
                if (e.error() != RdmaError.ADDRESS_NOT_AVAILABLE && e.error() != RdmaError.NO_DEVICE) {
                    throw e;
                }
                arrivals.awaitMoreThan(seen);
            }
        }
    }

    private Verdict onEvent(CmEvent event) {
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            return onRequest(event);
        }
        InetSocketAddress local = event.id().localAddress();
        console.step("event " + event.type() + " of the listener on " + Addresses.text(local));
        if (event.type() == CmEventType.DEVICE_REMOVAL) {
            console.error("the listener on " + Addresses.text(local) + " is lost: "
                    + EventSentences.of(event, local, event.id().device().name()));
            ends.add(End.LISTENER_LOST);
            return Verdict.DESTROY;
        }
        return Verdict.KEEP;
    }

    private Verdict onRequest(CmEvent event) {
        CmId id = event.id();
        console.step("event CONNECT_REQUEST of client " + Addresses.text(id.peerAddress()));
        ServedClient client = new ServedClient(id, settings, console, workers, this::clientGone);
        clients.add(client);
        Verdict verdict = client.accept();
        if (!settings.persistent()) {
            // One client is all it serves: the next one learns at once that nobody listens.
            event.listener().destroy();
        }
        return verdict;
    }

    private void clientGone(ServedClient client) {
        clients.remove(client);
        ends.add(client.failed() ? End.CLIENT_LOST : End.CLIENT_LEFT);
    }

    private void end(CmId listener) throws InterruptedException {
        if (listener != null) {
            listener.destroy();
        }
        clients.forEach(ServedClient::end);
        workers.shutdown();
        if (!workers.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
            workers.shutdownNow();
        }
    }
}
