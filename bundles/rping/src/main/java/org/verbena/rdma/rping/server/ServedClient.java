package org.verbena.rdma.rping.server;

import java.util.EnumSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.verbena.rdma.Access;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler;
import org.verbena.rdma.rping.run.Console;
import org.verbena.rdma.rping.run.Settings;
import org.verbena.rdma.rping.sentences.Addresses;
import org.verbena.rdma.rping.sentences.EventSentences;
import org.verbena.rdma.rping.wire.Advertisement;
import org.verbena.rdma.rping.wire.ConnectionEndedException;
import org.verbena.rdma.rping.wire.DataPath;
import org.verbena.rdma.rping.wire.PingBuffer;
import org.verbena.rdma.rping.wire.PingData;
import org.verbena.rdma.rping.wire.PingFailedException;

/** One client of the server: its connection, and, while it is established, a thread that answers it. */
final class ServedClient implements EventHandler {
    private static final String STOPPED = "the server was stopped";

    /** How long to wait for an event that must come. */
    private static final int EVENT_SECONDS = 3;

    private final CmId id;
    private final String name;
    private final String device;
    private final Settings settings;
    private final Console console;
    private final Executor workers;
    private final Consumer<ServedClient> whenGone;
    private final CountDownLatch failed = new CountDownLatch(1);
    private final AtomicBoolean gone = new AtomicBoolean();

    private DataPath path;
    private PingBuffer data;
    private volatile int done;

    /** Whether a thread answers it, which then cleans up; otherwise the end of the id does. */
    private volatile boolean answered;

    /** Why the connection has ended other than by the client's wish, or {@code null}. */
    private volatile String failure;

    ServedClient(CmId id, Settings settings, Console console, Executor workers, Consumer<ServedClient> whenGone) {
        this.id = id;
        this.name = Addresses.text(id.peerAddress());
        this.device = id.device().name();
        this.settings = settings;
        this.console = console;
        this.workers = workers;
        this.whenGone = whenGone;
    }

    /** Makes what the connection needs and accepts it. Called inside of the callback for the request. */
    Verdict accept() {
        id.destroyed().thenRun(this::goneUnlessAnswered);
        try {
            path = new DataPath(id.device());
            data = path.buffer(settings.size(), EnumSet.of(Access.LOCAL_WRITE));
            path.open(id);
            id.handler(this);
            id.accept(ConnectionParameters.defaults());
            return Verdict.KEEP;
        } catch (PingFailedException | RdmaException e) {
            failure = e.getMessage();
            return Verdict.DESTROY;
        }
    }

    @Override
    public Verdict onEvent(CmEvent event) {
        console.step("event " + event.type() + " of client " + name);
        switch (event.type()) {
            case ESTABLISHED:
                return answer();
            case DISCONNECTED:
            case ADDR_CHANGE:
            case TIMEWAIT_EXIT:
                // A disconnect flushes the receive, and so ends the thread when it has read what came before.
                return Verdict.KEEP;
            default:
                fail(EventSentences.of(event, id.peerAddress(), device));
                return Verdict.DESTROY;
        }
    }

    /** Ends it from the server's side. Not inside of callbacks. */
    void end() {
        fail(STOPPED);
        id.destroy();
        goneUnlessAnswered();
    }

    boolean failed() {
        return failure != null;
    }

    private Verdict answer() {
        answered = true;
        try {
            workers.execute(this::run);
            return Verdict.KEEP;
        } catch (RejectedExecutionException e) {
            // The server is being stopped.
            answered = false;
            return Verdict.DESTROY;
        }
    }

    private void run() {
        try {
            while (settings.count() == 0 || done < settings.count()) {
                answerPing();
                done = done + 1;
            }
            // Whoever asked for that many disconnects now; whoever wants more is disconnected.
            path.receive();
            id.disconnect();
        } catch (ConnectionEndedException e) {
            // The client has left; or the handler says why.
            awaitRemoval();
        } catch (PingFailedException | RdmaException e) {
            fail(e.getMessage());
        } catch (IllegalStateException e) {
            // The id was destroyed between two calls, for a reason that is known then.
            fail(e.getMessage());
        } catch (InterruptedException e) {
            fail(STOPPED);
        }
        id.destroy();
        gone();
    }

    private void answerPing() throws InterruptedException, RdmaException, PingFailedException {
        Advertisement source = path.receive();
        if (source.size() > settings.size()) {
            throw new PingFailedException("its pings of " + source.size() + " bytes are longer than the "
                    + settings.size() + " bytes that this server takes (-S)");
        }
        int size = (int) source.size();
        path.read(data, source, size);
        if (settings.printData()) {
            console.print("server ping data: " + PingData.text(data.bytes(), size));
        }
        path.send(Advertisement.GO_AHEAD);
        Advertisement sink = path.receive();
        if (sink.size() < size) {
            throw new PingFailedException("it sent " + size + " bytes and has room for " + sink.size() + " only");
        }
        path.write(data, sink, size);
        path.send(Advertisement.GO_AHEAD);
    }

    private void awaitRemoval() {
        try {
            if (path.deviceIsGoing()) {
                failed.await(EVENT_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            fail(STOPPED);
        }
    }

    private void fail(String reason) {
        if (failure == null) {
            failure = reason;
        }
        failed.countDown();
    }

    private void goneUnlessAnswered() {
        if (!answered) {
            gone();
        }
    }

    private void gone() {
        if (!gone.compareAndSet(false, true)) {
            return;
        }
        if (path != null) {
            path.close();
        }
        String pings = done + (done == 1 ? " ping" : " pings");
        if (failure == null) {
            console.print("client " + name + " disconnected after " + pings);
        } else {
            console.error("client " + name + " lost after " + pings + ": " + failure);
        }
        whenGone.accept(this);
    }
}
