package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.core.contract.Bench.awaitDestroyed;
import static org.verbena.rdma.core.contract.Bench.endpoint;
import static org.verbena.rdma.core.contract.Bench.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.ScriptedDevice.ScriptedEndpoint;

/**
 * A program for a JVM of its own, with a small heap and without buffers of threads for allocation: fills the heap, lets
 * events come meanwhile, and makes room again.
 */
final class FullHeap {
    private static final int IDS = 20;
    private static final int LARGE = 1 << 22;

    private static volatile Block hoard;
    private static volatile Throwable raised;
    private static volatile boolean over;
    private static volatile boolean raise;
    private static volatile boolean goOn;

    private FullHeap() {}

    /** What the heap is filled with. */
    private static final class Block {
        private final Block next;
        private final byte[] content;

        Block(Block next, byte[] content) {
            this.next = next;
            this.content = content;
        }
    }

    /** Writes down what it is told without needing memory. */
    private static final class Recorder implements EventHandler {
        private final CmEventType[] types = new CmEventType[8];
        private volatile int count;

        @Override
        public Verdict onEvent(CmEvent event) {
            types[count] = event.type();
            count++;
            return Verdict.KEEP;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (Bench bench = new Bench()) {
            bench.bePatient();
            ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
            Bench.Consumer consumer = bench.consumer("consumer");
            // The classes that events need are loaded while there is room.
            eventsWhile(device, consumer, () -> {});
            exhaustedInACallback(device, consumer);
            eventsWhile(device, consumer, FullHeap::fill);
            eventThatFindsNoMemory(device, consumer);
            bench.pull(device);
        }
        System.out.println("all events have come");
        System.exit(0);
    }

    /** The consumer that takes all memory loses the id, and nobody else anything. */
    private static void exhaustedInACallback(ScriptedDevice device, Bench.Consumer consumer) {
        Probe other = new Probe();
        CmId kept = consumer.routed(device, other);
        ScriptedEndpoint endpoint = endpoint(device);
        Probe greedy = new Probe().on(CmEventType.ROUTE_RESOLVED, event -> {
            try {
                fill();
            } finally {
                hoard = null;
                over = true;
            }
            throw new AssertionError("the heap has no end");
        });
        CmId id = consumer.resolved(device, greedy);
        run(() -> id.resolveRoute(java.time.Duration.ofSeconds(30)));
        endpoint(device).upcalls.routeResolved();
        while (!over) {
            Thread.onSpinWait();
        }
        awaitDestroyed(id);
        endpoint.upcalls.addressChanged();
        other.await(CmEventType.ADDR_CHANGE);
        kept.destroy();
    }

    private static void eventsWhile(ScriptedDevice device, Bench.Consumer consumer, Runnable filling)
            throws InterruptedException {
        raise = false;
        goOn = false;
        List<Recorder> recorders = new ArrayList<>();
        List<ScriptedEndpoint> endpoints = new ArrayList<>();
        for (int i = 0; i < IDS; i++) {
            CmId id = consumer.routed(device, new Probe());
            Recorder recorder = new Recorder();
            id.handler(recorder);
            consumer.queuePair(id);
            run(() -> id.connect(ConnectionParameters.defaults()));
            recorders.add(recorder);
            endpoints.add(endpoint(device));
        }
        // A callback runs already, so that those behind it need no new thread.
        Probe running = new Probe().on(CmEventType.ADDR_CHANGE, event -> {
            while (!goOn) {
                Thread.onSpinWait();
            }
            return Verdict.KEEP;
        });
        consumer.routed(device, running);
        endpoint(device).upcalls.addressChanged();
        Bench.await(() -> running.count(CmEventType.ADDR_CHANGE) == 1);
        ScriptedEndpoint[] all = endpoints.toArray(ScriptedEndpoint[]::new);
        ConnectionParameters parameters = ConnectionParameters.defaults();
        // Core has never seen this thread, but knows the one that runs this.
        Thread raiser = Bench.background("provider", () -> {
            while (!raise) {
                Thread.onSpinWait();
            }
            raise(all, 1, parameters);
        });
        keep(filling);
        raise = true;
        raise(all, 0, parameters);
        keep(filling);
        goOn = true;
        keep(filling);
        hoard = null;
        Bench.await(() -> recorders.stream().allMatch(recorder -> recorder.count >= 3));
        for (Recorder recorder : recorders) {
            assertThat(recorder.types)
                    .startsWith(CmEventType.ESTABLISHED, CmEventType.ADDR_CHANGE, CmEventType.DISCONNECTED);
            assertThat(recorder.count).isEqualTo(3);
        }
        raiser.join();
        assertThat(raised).isNull();
    }

    /** An event that needs more memory than there is waits for it. */
    private static void eventThatFindsNoMemory(ScriptedDevice device, Bench.Consumer consumer) {
        goOn = false;
        Probe probe = new Probe().on(CmEventType.ADDR_CHANGE, event -> {
            while (!goOn) {
                Thread.onSpinWait();
            }
            return Verdict.KEEP;
        });
        CmId id = consumer.routed(device, probe);
        consumer.queuePair(id);
        run(() -> id.connect(ConnectionParameters.defaults()));
        endpoint(device).upcalls.addressChanged();
        Bench.await(() -> probe.count(CmEventType.ADDR_CHANGE) == 1);
        endpoint(device).upcalls.rejected(RejectReason.CONSUMER, ByteBuffer.allocate(LARGE));
        keep(() -> {
            while (true) {
                hoard = new Block(hoard, new byte[LARGE / 4]);
            }
        });
        goOn = true;
        keep(() -> {});
        hoard = null;
        CmEvent event = probe.await(CmEventType.REJECTED);
        assertThat(event.privateData().remaining()).isEqualTo(LARGE);
    }

    /** Raises the events of every second endpoint. */
    private static void raise(ScriptedEndpoint[] endpoints, int first, ConnectionParameters parameters) {
        try {
            for (int i = first; i < endpoints.length; i += 2) {
                endpoints[i].upcalls.established(parameters);
                endpoints[i].upcalls.addressChanged();
                endpoints[i].upcalls.disconnected(RdmaError.SUCCESS);
            }
        } catch (Throwable failed) {
            raised = failed;
        }
    }

    /** For a while takes again what others give up. */
    private static void keep(Runnable filling) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(400);
        while (System.nanoTime() - end < 0) {
            try {
                filling.run();
            } catch (OutOfMemoryError full) {
                continue;
            }
        }
    }

    /** Takes all memory, down to the last bytes. */
    private static void fill() {
        for (int size = 1 << 20; size > 0; size /= 16) {
            try {
                while (true) {
                    hoard = new Block(hoard, new byte[size]);
                }
            } catch (OutOfMemoryError smaller) {
                continue;
            }
        }
        while (true) {
            hoard = new Block(hoard, null);
        }
    }
}
