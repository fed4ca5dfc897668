package org.verbena.rdma.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Races of threads that go in and a thread that shuts the gate and frees what is behind it. {@code itests/schedules} has
 * the search that must catch the guard without its fence.
 */
class GuardStressTest {
    private static final int ROUNDS = 5_000_000;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** One gate and what is behind it. */
    private static final class Door {
        private final Gate gate = new Gate("door");
        private final int headStart;
        private volatile boolean freed;
        private volatile boolean enters;
        private volatile boolean shuts;
        private int sink;

        /** Makes a door where one side is ahead of the other by some turns of a loop. */
        Door(int headStart) {
            this.headStart = headStart;
        }

        void meetBeforeEntering() {
            enters = true;
            awaitOther(() -> shuts);
            idle(headStart);
        }

        void meetBeforeShutting() {
            shuts = true;
            awaitOther(() -> enters);
            idle(-headStart);
        }

        private void awaitOther(BooleanSupplier there) {
            for (int spin = 0; !there.getAsBoolean(); spin++) {
                if (spin > 5_000) {
                    Thread.yield();
                }
            }
        }

        private void idle(int turns) {
            for (int i = 0; i < turns; i++) {
                sink = sink * 31 + i;
            }
        }
    }

    @Test
    @DisplayName("C18: no thread is inside what is freed, whatever the timing")
    void withFence() throws Exception {
        assertThat(search(new Guard())).isZero();
    }

    /** Returns how often a thread was inside what was freed. */
    private static long search(Guard guard) throws Exception {
        AtomicLong caught = new AtomicLong();
        AtomicBoolean stop = new AtomicBoolean();
        Door[] doors = new Door[1_000];
        CyclicBarrier barrier = new CyclicBarrier(2);
        long deadline = System.nanoTime() + LIMIT_NANOS;
        Thread entering = new Thread(() -> {
            while (meet(barrier) && !stop.get()) {
                for (Door door : doors) {
                    door.meetBeforeEntering();
                    goIn(guard, door, caught);
                }
                meet(barrier);
            }
        });
        entering.setDaemon(true);
        entering.start();
        for (int round = 0; round < ROUNDS && System.nanoTime() < deadline; ) {
            for (int i = 0; i < doors.length; i++) {
                doors[i] = new Door(i % 256 - 128);
            }
            meet(barrier);
            for (Door door : doors) {
                door.meetBeforeShutting();
                free(guard, door);
            }
            meet(barrier);
            round += doors.length;
        }
        stop.set(true);
        meet(barrier);
        entering.join();
        return caught.get();
    }

    private static void goIn(Guard guard, Door door, AtomicLong caught) {
        Presence here = guard.presence();
        if (here.enter(door.gate)) {
            for (int look = 0; look < 400; look++) {
                if (door.freed) {
                    caught.incrementAndGet();
                    break;
                }
            }
            here.exit();
        }
    }

    private static void free(Guard guard, Door door) {
        guard.shut(door.gate);
        guard.awaitOutside(door.gate, Long.MAX_VALUE / 2 + System.nanoTime());
        door.freed = true;
    }

    private static boolean meet(CyclicBarrier barrier) {
        try {
            barrier.await(60, TimeUnit.SECONDS);
            return true;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("C18: many threads on many gates, each shut once, never meet a freed one")
    void manyThreads() throws Exception {
        Guard guard = new Guard();
        Gate device = new Gate("device");
        AtomicLong caught = new AtomicLong();
        AtomicBoolean stop = new AtomicBoolean();
        List<DoorSlot> slots = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            slots.add(new DoorSlot());
        }
        try (Threads threads = new Threads()) {
            List<Threads.Running<Void>> busy = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int first = i;
                busy.add(threads.run(() -> {
                    for (int turn = first; !stop.get(); turn++) {
                        DoorSlot outer = slots.get(turn % slots.size());
                        DoorSlot inner = slots.get((turn + 1) % slots.size());
                        Door door = outer.door;
                        goInTwice(guard, door, inner.door, caught);
                    }
                }));
            }
            long deadline = System.nanoTime() + LIMIT_NANOS;
            for (int round = 0; round < 20_000 && System.nanoTime() < deadline; round++) {
                DoorSlot slot = slots.get(round % slots.size());
                Door old = slot.door;
                slot.door = new Door(0);
                free(guard, old);
            }
            stop.set(true);
            for (Threads.Running<Void> thread : busy) {
                thread.get();
            }
        }
        assertThat(caught.get()).isZero();
        assertThat(guard.inside(device)).isEmpty();
    }

    /** Where threads find the current door. */
    private static final class DoorSlot {
        private volatile Door door = new Door(0);
    }

    private static void goInTwice(Guard guard, Door outer, Door inner, AtomicLong caught) {
        if (guard.enter(outer.gate)) {
            try {
                goIn(guard, inner, caught);
                if (outer.freed) {
                    caught.incrementAndGet();
                }
            } finally {
                guard.exit();
            }
        }
    }
}
