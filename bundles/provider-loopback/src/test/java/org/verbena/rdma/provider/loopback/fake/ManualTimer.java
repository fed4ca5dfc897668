package org.verbena.rdma.provider.loopback.fake;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import org.verbena.rdma.provider.loopback.schedule.Timer;

/** A timer whose time passes when the test says so. Used by one thread at a time. */
public final class ManualTimer implements Timer {
    private record Due(Duration at, long sequence, Runnable task) {}

    private final Queue<Due> due =
            new PriorityQueue<>(Comparator.comparing(Due::at).thenComparing(Due::sequence));
    private Duration now = Duration.ZERO;
    private long sequence;

    @Override
    public Alarm after(Duration delay, Runnable task) {
        Due entry = new Due(now.plus(delay), sequence++, task);
        due.add(entry);
        return () -> due.remove(entry);
    }

    /** Lets time pass. */
    public void pass(Duration time) {
        now = now.plus(time);
        while (!due.isEmpty() && due.peek().at().compareTo(now) <= 0) {
            due.poll().task().run();
        }
    }

    public int size() {
        return due.size();
    }
}
