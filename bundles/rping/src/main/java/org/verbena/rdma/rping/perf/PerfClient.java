package org.verbena.rdma.rping.perf;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.rping.perf.PerfRequest.Measure;
import org.verbena.rdma.rping.run.Console;
import org.verbena.rdma.rping.run.Run;
import org.verbena.rdma.rping.sentences.EventSentences;
import org.verbena.rdma.rping.wire.ConnectionEndedException;
import org.verbena.rdma.rping.wire.PingFailedException;

/** Measures against a server, one connection for each measure, driven by the thread that runs it. */
public final class PerfClient implements Run {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);
    private static final long EVENT_SECONDS = 30;
    /** Whichever is over first: nothing is said meanwhile. */
    private static final int WARM_UP = 1_000;

    private static final Duration WARM_UP_TIME = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int LATENCY_DEPTH = 4;

    private final ConnectionManager connectionManager;
    private final PerfSettings settings;
    private final Console console;
    private final Duration patience;
    private final BlockingQueue<CmEvent> events = new LinkedBlockingQueue<>();
    private volatile CmId id;
    private volatile boolean removed;
    private volatile boolean stopped;

    /**
     * Makes a client that is not connected yet.
     *
     * @param connectionManager makes its ids
     * @param settings where to connect to and what to measure
     * @param console where to print to
     */
    public PerfClient(ConnectionManager connectionManager, PerfSettings settings, Console console) {
        this(connectionManager, settings, console, PATIENCE);
    }

    /**
     * Makes a client that is not connected yet.
     *
     * @param connectionManager makes its ids
     * @param settings where to connect to and what to measure
     * @param console where to print to
     * @param patience after how long without an answer to give up
     */
    public PerfClient(ConnectionManager connectionManager, PerfSettings settings, Console console, Duration patience) {
        this.patience = patience;
        this.connectionManager = connectionManager;
        this.settings = settings;
        this.console = console;
    }

    @Override
    public int run() throws RdmaException, InterruptedException, PingFailedException {
        if (settings.latencySize() > 0) {
            measure(new PerfRequest(Measure.LATENCY, settings.latencySize()), LATENCY_DEPTH);
        }
        if (settings.bandwidthSize() > 0) {
            measure(new PerfRequest(Measure.BANDWIDTH, settings.bandwidthSize()), settings.depth());
        }
        return 0;
    }

    @Override
    public void stop() {
        stopped = true;
        CmId made = id;
        if (made != null) {
            made.destroy();
        }
    }

    private void measure(PerfRequest request, int depth)
            throws RdmaException, InterruptedException, PingFailedException {
        InetSocketAddress server = settings.server();
        events.clear();
        id = connectionManager.createId(PortSpace.TCP, this::onEvent);
        try {
            refuseIfStopped();
            id.resolveAddress(null, server, RESOLVE_TIMEOUT);
            expect(CmEventType.ADDR_RESOLVED);
            id.resolveRoute(RESOLVE_TIMEOUT);
            expect(CmEventType.ROUTE_RESOLVED);
            try (Link link = new Link(id.device(), request.size(), depth, patience)) {
                try {
                    link.open(id);
                    id.connect(ConnectionParameters.defaults().withPrivateData(request.encode()));
                    ByteBuffer memory = Link.advertised(
                            expect(CmEventType.ESTABLISHED).parameters().privateData());
                    if (request.measure() == Measure.LATENCY) {
                        latency(link, request.size());
                    } else {
                        bandwidth(link, request.size(), memory.getLong(), memory.getInt());
                    }
                } finally {
                    // Before what it is made of.
                    id.destroy();
                }
            }
        } catch (ConnectionEndedException ended) {
            throw new PingFailedException(whyEnded());
        } catch (IllegalStateException destroyedBetweenTwoCalls) {
            if (!stopped && !removed) {
                throw destroyedBetweenTwoCalls;
            }
            throw new PingFailedException(whyEnded());
        } finally {
            id.destroy();
        }
    }

    private void latency(Link link, int size) throws RdmaException, InterruptedException, PingFailedException {
        Histogram histogram = new Histogram(3);
        warmUp(link);
        Progress progress = new Progress("latency", settings.time(), console);
        while (progress.goesOn()) {
            long start = System.nanoTime();
            roundTrip(link);
            histogram.recordValue(System.nanoTime() - start);
        }
        Report.latency(size, histogram, progress.seconds()).forEach(console::print);
    }

    private static void warmUp(Link link) throws RdmaException, InterruptedException, PingFailedException {
        long start = System.nanoTime();
        for (int i = 0; i < WARM_UP && System.nanoTime() - start < WARM_UP_TIME.toNanos(); i++) {
            roundTrip(link);
        }
    }

    private static void roundTrip(Link link) throws RdmaException, InterruptedException, PingFailedException {
        link.postReceive();
        link.send();
        link.awaitReceive();
    }

    private void bandwidth(Link link, int size, long address, int key)
            throws RdmaException, InterruptedException, PingFailedException {
        int free = settings.depth();
        long done = 0;
        Progress progress = new Progress("bandwidth", settings.time(), console);
        while (progress.goesOn()) {
            for (; free > 0; free--) {
                link.write(address, key);
            }
            int completed = link.awaitSends();
            free += completed;
            done += completed;
        }
        console.print(Report.bandwidth(size, done, progress.seconds()));
    }

    private Verdict onEvent(CmEvent event) {
        removed = removed || event.type() == CmEventType.DEVICE_REMOVAL;
        events.add(event);
        return removed ? Verdict.DESTROY : Verdict.KEEP;
    }

    private CmEvent expect(CmEventType type) throws InterruptedException, PingFailedException {
        CmEvent event = null;
        for (long i = 0; i < EVENT_SECONDS && event == null; i++) {
            refuseIfStopped();
            event = events.poll(1, TimeUnit.SECONDS);
        }
        refuseIfStopped();
        if (event == null) {
            throw new PingFailedException("nothing has come of it in " + EVENT_SECONDS + " s");
        }
        if (event.type() != type) {
            throw new PingFailedException(EventSentences.of(event, settings.server(), "of the connection"));
        }
        return event;
    }

    private void refuseIfStopped() throws PingFailedException {
        if (stopped) {
            throw new PingFailedException("the measurement was stopped");
        }
    }

    private String whyEnded() {
        if (stopped) {
            return "the measurement was stopped";
        }
        return removed ? "the device was removed" : "the server has ended the connection";
    }
}
