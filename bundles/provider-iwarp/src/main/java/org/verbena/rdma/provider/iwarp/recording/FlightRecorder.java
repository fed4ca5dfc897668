package org.verbena.rdma.provider.iwarp.recording;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.spi.CounterSink;
import org.verbena.rdma.spi.ProviderQueuePair;

/** Records with Java Flight Recorder. Loading this needs {@code jdk.jfr}, which a JVM or a framework may lack. */
public final class FlightRecorder implements Recorder {
    private static final String[] LAYERS = {"rdmap", "ddp", "llp"};

    /** Fails if there is none. */
    public FlightRecorder() {
        // Fails here, and not at the first end of a connection, if events cannot be had.
        new ConnectionEndEvent();
        new TerminateEvent();
        new CounterEvent();
    }

    @Override
    public void terminated(String device, InetSocketAddress peer, boolean sent, int code) {
        TerminateEvent event = new TerminateEvent();
        if (event.isEnabled()) {
            int layer = code >>> 12 & 0xF;
            event.device = device;
            event.peer = text(peer);
            event.sent = sent;
            event.layer = layer < LAYERS.length ? LAYERS[layer] : Integer.toString(layer);
            event.errorType = code >>> 8 & 0xF;
            event.errorCode = code & 0xFF;
            event.commit();
        }
    }

    @Override
    public void ended(
            String device,
            InetSocketAddress local,
            InetSocketAddress peer,
            RdmaError status,
            ProviderQueuePair queuePair) {
        ConnectionEndEvent event = new ConnectionEndEvent();
        if (event.isEnabled()) {
            event.device = device;
            event.local = text(local);
            event.peer = text(peer);
            event.status = status.name();
            if (queuePair != null) {
                queuePair.readCounters(event::count);
            }
            event.commit();
        }
    }

    @Override
    public Runnable record(String device, Consumer<CounterSink> counters) {
        Runnable hook = () -> write(device, counters);
        jdk.jfr.FlightRecorder.addPeriodicEvent(CounterEvent.class, hook);
        return () -> jdk.jfr.FlightRecorder.removePeriodicEvent(hook);
    }

    private static void write(String device, Consumer<CounterSink> counters) {
        Map<String, Long> sums = new LinkedHashMap<>();
        counters.accept((name, value) -> sums.merge(name, value, Long::sum));
        sums.forEach((name, value) -> {
            if (value != 0) {
                CounterEvent event = new CounterEvent();
                event.device = device;
                event.counter = name;
                event.value = value;
                event.commit();
            }
        });
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
