package org.verbena.rdma.console.timeline;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.verbena.rdma.console.timeline.Entry.Kind;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.MonitorListener;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.RemovalSnapshot.Step;

/**
 * Records what has happened, the newest of it: so much of what happens to devices, and apart from that so much of what
 * happens to ids, so that the many events of ten thousand ids do not push out the removal that they come from.
 *
 * <p>All fields are guarded by this object's monitor, which is held for a few moves only.
 */
public final class Timeline implements MonitorListener {
    private static final int DEVICE_ENTRIES = 400;
    private static final int ID_ENTRIES = 600;

    private final Clock clock;
    private final Deque<Entry> ofDevices = new ArrayDeque<>();
    private final Deque<Entry> ofIds = new ArrayDeque<>();
    private final Set<Long> present = new HashSet<>();
    private final Map<Long, Long> removals = new HashMap<>();
    private long next;
    private long lastRemoval;

    /**
     * Makes an empty one.
     *
     * @param clock tells the time of the entries
     */
    public Timeline(Clock clock) {
        this.clock = clock;
    }

    /**
     * Says what is there already, so that no change of it passes for its coming.
     *
     * @param devices the numbers of the devices that are present
     */
    public synchronized void know(Collection<Long> devices) {
        present.addAll(devices);
    }

    /**
     * Returns what was recorded, oldest first.
     *
     * @param since only entries with this sequence or a later one
     * @return the entries that are still there
     */
    public synchronized List<Entry> since(long since) {
        List<Entry> entries = new ArrayList<>();
        newest(ofDevices, since, entries);
        newest(ofIds, since, entries);
        entries.sort(Comparator.comparingLong(Entry::sequence));
        return entries;
    }

    private static void newest(Deque<Entry> recorded, long since, List<Entry> to) {
        var backwards = recorded.descendingIterator();
        while (backwards.hasNext()) {
            Entry entry = backwards.next();
            if (entry.sequence() < since) {
                return;
            }
            to.add(entry);
        }
    }

    /**
     * Records what an operator asks for.
     *
     * @param what a few words
     */
    public synchronized void asked(String what) {
        add(ofDevices, Kind.ASKED, null, null, 0, null, null, what);
    }

    /**
     * Records that something an operator has asked for did not come about.
     *
     * @param why a sentence
     */
    public synchronized void failed(String why) {
        add(ofDevices, Kind.FAILED, null, null, 0, null, null, why);
    }

    @Override
    public synchronized void deviceUp(DeviceSnapshot device) {
        Kind kind = present.add(device.number()) ? Kind.DEVICE_UP : Kind.DEVICE_CHANGED;
        add(ofDevices, kind, device, null, 0, null, null, null);
    }

    @Override
    public synchronized void removalStep(RemovalSnapshot removal) {
        present.remove(removal.deviceNumber());
        long number = removals.computeIfAbsent(removal.deviceNumber(), device -> ++lastRemoval);
        if (removal.step() == Step.DONE) {
            removals.remove(removal.deviceNumber());
        }
        add(ofDevices, Kind.REMOVAL_STEP, null, removal, number, null, null, null);
    }

    @Override
    public synchronized void event(IdSnapshot id, String event) {
        add(ofIds, Kind.EVENT, null, null, 0, id, null, event);
    }

    @Override
    public synchronized void callbackBlocked(ConsumerSnapshot consumer, String thread, boolean blocked) {
        Kind kind = blocked ? Kind.CALLBACK_BLOCKED : Kind.CALLBACK_RETURNED;
        add(ofDevices, kind, null, null, 0, null, consumer, thread);
    }

    @Override
    public synchronized void missed(long calls) {
        add(ofIds, Kind.MISSED, null, null, 0, null, null, Long.toString(calls));
    }

    private void add(
            Deque<Entry> to,
            Kind kind,
            DeviceSnapshot device,
            RemovalSnapshot removal,
            long removalNumber,
            IdSnapshot id,
            ConsumerSnapshot consumer,
            String text) {
        if (to.size() == (to == ofDevices ? DEVICE_ENTRIES : ID_ENTRIES)) {
            to.removeFirst();
        }
        to.addLast(new Entry(next++, clock.millis(), kind, device, removal, removalNumber, id, consumer, text));
    }
}
