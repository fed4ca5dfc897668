package org.verbena.rdma.shell.command;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.MonitorListener;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** Takes down what the monitor tells, for another thread to print. The queue is concurrent and holds only so much. */
final class TracedEvents implements MonitorListener {
    private static final int MOST = 100_000;

    private final String device;
    private final Long id;
    private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>(MOST);
    private final AtomicLong dropped = new AtomicLong();

    /**
     * Something that has happened.
     *
     * @param millis when it was told, since 1970
     * @param what a word: event, device, removal, callback or missed
     * @param text the rest
     */
    record Line(long millis, String what, String text) {}

    /** Takes down what is of a device and of an id, of all where they are null. */
    TracedEvents(String device, Long id) {
        this.device = device;
        this.id = id;
    }

    /** Returns the next line, or null if there is none in time. */
    Line next(long time, TimeUnit unit) throws InterruptedException {
        long lost = lines.isEmpty() ? dropped.getAndSet(0) : 0;
        return lost > 0 ? line("missed", lost + " more, for the terminal was too slow") : lines.poll(time, unit);
    }

    private void add(String what, String text) {
        if (!lines.offer(line(what, text))) {
            dropped.incrementAndGet();
        }
    }

    private static Line line(String what, String text) {
        return new Line(System.currentTimeMillis(), what, text);
    }

    private boolean isOf(String name) {
        return id == null && (device == null || device.equals(name));
    }

    @Override
    public void event(IdSnapshot snapshot, String event) {
        if ((id == null || id == snapshot.number()) && (device == null || device.equals(snapshot.device()))) {
            add(
                    "event",
                    event + " to id " + snapshot.number() + " of " + snapshot.consumer() + ", now "
                            + Words.state(snapshot)
                            + (snapshot.device().isEmpty() ? "" : " on " + snapshot.device())
                            + (snapshot.local().isEmpty() ? "" : ", " + snapshot.local())
                            + (snapshot.peer().isEmpty() ? "" : " with " + snapshot.peer()));
        }
    }

    @Override
    public void deviceUp(DeviceSnapshot snapshot) {
        if (isOf(snapshot.name())) {
            add(
                    "device",
                    snapshot.name() + " is there, link " + snapshot.link() + ", serves "
                            + (snapshot.addresses().isEmpty()
                                    ? "no address"
                                    : String.join(", ", snapshot.addresses())));
        }
    }

    @Override
    public void deviceDown(RemovalSnapshot removal) {
        if (isOf(removal.device())) {
            add("device", removal.device() + " is gone after " + Words.seconds(removal.elapsedMillis()));
        }
    }

    @Override
    public void removalStep(RemovalSnapshot removal) {
        if (isOf(removal.device())) {
            add("removal", removal.device() + ": " + Words.progress(removal));
        }
    }

    @Override
    public void callbackBlocked(ConsumerSnapshot consumer, String thread, boolean blocked) {
        if (id == null && device == null) {
            add(
                    "callback",
                    "one of " + consumer.bundle() + (blocked ? " blocks thread " : " blocks no more thread ") + thread);
        }
    }

    @Override
    public void missed(long calls) {
        add("missed", calls + " more, for they came too fast");
    }
}
