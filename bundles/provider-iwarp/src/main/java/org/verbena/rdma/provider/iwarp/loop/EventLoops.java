package org.verbena.rdma.provider.iwarp.loop;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The loops of one device, started together and stopped together. Immutable but for the turn of the next connection. */
public final class EventLoops {
    private final List<EventLoop> loops;
    private final AtomicInteger next = new AtomicInteger();

    private EventLoops(List<EventLoop> loops) {
        this.loops = loops;
    }

    /**
     * Starts loops.
     *
     * @param device the name of the device, for the names of the threads
     * @param count how many
     * @param spin how long a loop looks for work before it sleeps
     * @throws IOException if the operating system has no selector left
     */
    public static EventLoops start(String device, int count, Duration spin) throws IOException {
        List<EventLoop> loops = new ArrayList<>(count);
        try {
            for (int i = 0; i < count; i++) {
                loops.add(new EventLoop("verbena-" + device + "-" + i, i, spin.toNanos()));
                loops.get(i).start();
            }
        } catch (IOException | RuntimeException | Error e) {
            loops.forEach(EventLoop::stop);
            throw e;
        }
        return new EventLoops(List.copyOf(loops));
    }

    public List<EventLoop> all() {
        return loops;
    }

    /** The loop for a new connection. */
    public EventLoop next() {
        return loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
    }

    /** Runs a task on each loop, one after the other, and returns when all have done it. */
    public void executeOnEachAndWait(Runnable task) {
        for (EventLoop loop : loops) {
            loop.executeAndWait(task);
        }
    }

    /** Returns when each turn that was under way at the call has ended. */
    public void awaitTurnEnds() {
        for (int i = 0; i < loops.size(); i++) {
            loops.get(i).awaitTurnEnd();
        }
    }

    public void stop() {
        loops.forEach(EventLoop::stop);
    }
}
