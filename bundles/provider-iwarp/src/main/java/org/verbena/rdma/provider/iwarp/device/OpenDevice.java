package org.verbena.rdma.provider.iwarp.device;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.function.IntSupplier;
import org.verbena.rdma.provider.iwarp.loop.EventLoop;
import org.verbena.rdma.provider.iwarp.loop.EventLoops;
import org.verbena.rdma.provider.iwarp.memory.StagTable;
import org.verbena.rdma.provider.iwarp.mpa.Negotiation;
import org.verbena.rdma.provider.iwarp.recording.Recorder;
import org.verbena.rdma.provider.iwarp.stream.StreamLoop;
import org.verbena.rdma.provider.iwarp.stream.StreamSettings;
import org.verbena.rdma.spi.CounterSink;

/** What a device has from its open to its close, for its endpoints and listeners. Immutable; its parts guard themselves. */
final class OpenDevice {
    private final String name;
    private final Recorder recorder = Recorder.ofThisMachine();
    private final DeviceSettings settings;
    private final EventLoops loops;
    private final List<StreamLoop> streamLoops;
    private final StagTable stags;
    private final QueuePairNumbers numbers;
    private final Negotiation negotiation;
    private final IntSupplier mtu;
    private final Runnable endRecording;

    OpenDevice(String name, DeviceSettings settings, IntSupplier mtu) throws IOException {
        this.name = name;
        this.settings = settings;
        this.mtu = mtu;
        this.loops = EventLoops.start(name, settings.loopThreads(), settings.spin());
        this.streamLoops = loops.all().stream().map(StreamLoop::new).toList();
        this.stags = new StagTable(loops);
        this.numbers = new QueuePairNumbers(settings.maxQueuePairs());
        this.negotiation = new Negotiation(settings.mpa());
        this.endRecording = recorder.record(name, this::tellCounters);
    }

    String name() {
        return name;
    }

    Recorder recorder() {
        return recorder;
    }

    DeviceSettings settings() {
        return settings;
    }

    EventLoops loops() {
        return loops;
    }

    /** The loop for a new connection. */
    StreamLoop nextLoop() {
        EventLoop loop = loops.next();
        return streamLoops.get(loop.index());
    }

    StagTable stags() {
        return stags;
    }

    QueuePairNumbers numbers() {
        return numbers;
    }

    Negotiation negotiation() {
        return negotiation;
    }

    StreamSettings streamSettings(InetAddress local, InetAddress peer) {
        int segment =
                settings.segmentBytes() > 0 ? settings.segmentBytes() : SegmentSize.of(local, peer, mtu.getAsInt());
        return new StreamSettings(
                segment, settings.extensions(), settings.closeTimeout(), settings.lingerTime(), settings.pollers());
    }

    /** Tells what was counted on all connections since the device was opened. */
    void tellCounters(CounterSink sink) {
        streamLoops.forEach(loop -> loop.counters().tell(sink));
    }

    void stop() {
        endRecording.run();
        loops.stop();
    }
}
