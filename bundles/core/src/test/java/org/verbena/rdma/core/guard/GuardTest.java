package org.verbena.rdma.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GuardTest {
    private final Guard guard = new Guard();
    private final Gate device = new Gate("device");
    private final Gate gate = new Gate("queue pair", device);
    private final Threads threads = new Threads();

    @AfterEach
    void noThreadIsLeft() {
        threads.close();
    }

    private static long now() {
        return System.nanoTime();
    }

    private static long soon() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    }

    private void assertInside(Gate where, Thread thread, String entered) {
        assertThat(guard.inside(where)).singleElement().satisfies(inside -> {
            assertThat(inside.thread()).isSameAs(thread);
            assertThat(inside.gate()).isEqualTo(entered);
        });
    }

    private Threads.Running<Boolean> stayInside(Gate where, Pause pause) {
        return threads.call(() -> {
            boolean entered = guard.enter(where);
            if (entered) {
                pause.run();
                guard.exit();
            }
            return entered;
        });
    }

    @Test
    @DisplayName("C18: who is inside when the gate is shut is waited for, who comes afterwards is turned back")
    void shutting() throws Exception {
        Pause inside = new Pause();
        Threads.Running<Boolean> early = stayInside(gate, inside);
        inside.awaitReached();
        guard.shut(gate);

        assertThat(guard.enter(gate)).isFalse();
        assertThat(guard.awaitOutside(gate, now())).isFalse();
        assertInside(gate, early.thread(), "queue pair");

        Threads.Running<Boolean> closing = threads.call(() -> guard.awaitOutside(gate, soon()));
        closing.awaitWaitingIn("Presence");
        inside.release();
        assertThat(closing.get()).isTrue();
        assertThat(early.get()).isTrue();
        assertThat(guard.inside(gate)).isEmpty();
    }

    @Test
    @DisplayName("C18: a thread between saying that it goes in and looking at the gate is seen by who shuts it")
    void betweenStoreAndLoad() throws Exception {
        Pause atFence = new Pause();
        Guard paused = new Guard(thread -> new Presence(thread) {
            @Override
            void fence() {
                super.fence();
                atFence.run();
            }
        });
        Threads.Running<Boolean> entering = threads.call(() -> paused.enter(gate));
        atFence.awaitReached();
        paused.shut(gate);
        assertThat(paused.awaitOutside(gate, now()))
                .as("it may have looked at the gate already")
                .isFalse();

        atFence.release();
        assertThat(entering.get()).isFalse();
        assertThat(paused.awaitOutside(gate, soon())).isTrue();
    }

    @Test
    @DisplayName("C18: a nested call is turned back and waited for like any other")
    void nested() throws Exception {
        Gate other = new Gate("completion queue", device);
        Pause inside = new Pause();
        Threads.Running<List<Boolean>> nesting = threads.call(() -> {
            List<Boolean> entered = new ArrayList<>();
            for (int depth = 0; depth < 10; depth++) {
                entered.add(guard.enter(depth % 2 == 0 ? other : gate));
            }
            inside.run();
            entered.add(guard.enter(gate));
            for (int depth = 0; depth < 10; depth++) {
                guard.exit();
            }
            return entered;
        });
        inside.awaitReached();
        guard.shut(gate);
        assertThat(guard.awaitOutside(gate, now())).isFalse();
        inside.release();
        assertThat(guard.awaitOutside(gate, soon())).isTrue();
        assertThat(nesting.get()).hasSize(11).endsWith(true, false).startsWith(true, true);
        assertThat(guard.inside(device)).isEmpty();
        assertThat(guard.enter(other)).isTrue();
        guard.exit();
    }

    @Test
    @DisplayName("Two stays of a thread can be told apart, nested ones too; a stay is the same until it is over")
    void stays() {
        Gate outer = new Gate("outer");
        guard.enter(gate);
        List<Guard.Inside> first = guard.inside(gate);
        guard.enter(device);
        guard.exit();
        assertThat(guard.inside(gate)).isEqualTo(first);
        guard.exit();
        guard.enter(gate);
        assertThat(guard.inside(gate)).isNotEqualTo(first);
        guard.exit();

        guard.enter(outer);
        guard.enter(gate);
        List<Guard.Inside> nested = guard.inside(gate);
        assertThat(nested).hasSize(1).isEqualTo(guard.inside(device));
        guard.exit();
        guard.enter(gate);
        assertThat(guard.inside(gate)).hasSize(1).isNotEqualTo(nested);
        guard.exit();
        guard.exit();
    }

    @Test
    @DisplayName("C18: who leaves the inner gate is still inside the outer one")
    void leavingTheInnerGate() throws Exception {
        Gate inner = new Gate("inner");
        Pause outerOnly = new Pause();
        Threads.Running<Void> nesting = threads.run(() -> {
            guard.enter(gate);
            guard.enter(inner);
            guard.exit();
            outerOnly.run();
            guard.exit();
        });
        outerOnly.awaitReached();
        guard.shut(inner);
        guard.shut(gate);
        assertThat(guard.awaitOutside(inner, now())).isTrue();
        assertThat(guard.awaitOutside(gate, now())).isFalse();
        outerOnly.release();
        nesting.get();
        assertThat(guard.awaitOutside(gate, now())).isTrue();
    }

    @Test
    @DisplayName("C18: shutting a gate shuts those below it, at any depth, and no other")
    void ancestors() {
        Gate beside = new Gate("beside");
        for (int shut = 0; shut < 8; shut++) {
            List<Gate> chain = new ArrayList<>(List.of(new Gate("top")));
            for (int i = 1; i < 8; i++) {
                chain.add(new Gate("gate " + i, chain.get(i - 1)));
            }
            guard.shut(chain.get(shut));
            for (int i = 0; i < chain.size(); i++) {
                assertThat(chain.get(i).isShut()).isEqualTo(i >= shut);
                assertThat(guard.enter(chain.get(i))).isEqualTo(i < shut);
                if (i < shut) {
                    guard.exit();
                }
            }
            assertThat(chain.get(7).isWithin(chain.get(shut))).isTrue();
            assertThat(chain.get(0).isWithin(chain.get(shut))).isEqualTo(shut == 0);
            assertThat(beside.isWithin(chain.get(shut))).isFalse();
        }
        assertThat(beside.isShut()).isFalse();
    }

    @Test
    @DisplayName("C9: who is inside a gate below is waited for, and its gate is named")
    void descendants() throws Exception {
        Pause inside = new Pause();
        Threads.Running<Boolean> staying = stayInside(gate, inside);
        inside.awaitReached();
        guard.shut(device);
        assertThat(guard.awaitOutside(device, now())).isFalse();
        assertInside(device, staying.thread(), "queue pair");
        inside.release();
        assertThat(guard.awaitOutside(device, soon())).isTrue();
    }

    @Test
    @DisplayName("C9: a thread never waits for itself")
    void ownPresence() {
        assertThat(guard.isInside(gate)).isFalse();
        assertThat(guard.enter(gate)).isTrue();
        assertThat(guard.isInside(gate)).isTrue();
        assertThat(guard.isInside(device)).isTrue();
        assertThat(guard.isInside(new Gate("other"))).isFalse();
        guard.shut(device);
        assertThat(guard.awaitOutside(device, now())).isTrue();
        assertThat(guard.inside(device)).hasSize(1);
        guard.exit();
        assertThat(guard.isInside(gate)).isFalse();
    }

    @Test
    @DisplayName("C19: a grace period ends when each stay that was seen is over, however busy the gate is")
    void gracePeriod() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        List<Threads.Running<Void>> busy = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            busy.add(threads.run(() -> {
                while (!stop.get()) {
                    assertThat(guard.enter(gate)).isTrue();
                    guard.exit();
                }
            }));
        }
        for (int i = 0; i < 100; i++) {
            assertThat(guard.awaitPassed(device, soon())).isTrue();
        }
        Pause inside = new Pause();
        stayInside(gate, inside);
        inside.awaitReached();
        assertThat(guard.awaitPassed(gate, now())).isFalse();
        Threads.Running<Boolean> waiting = threads.call(() -> guard.awaitPassed(gate, soon()));
        waiting.awaitWaitingIn("Presence");
        inside.release();
        assertThat(waiting.get()).isTrue();
        stop.set(true);
        for (Threads.Running<Void> thread : busy) {
            thread.get();
        }
    }

    @Test
    @DisplayName("C9: the wait ends when it is told to give up")
    void givingUp() throws Exception {
        Pause inside = new Pause();
        stayInside(gate, inside);
        inside.awaitReached();
        guard.shut(gate);
        AtomicBoolean giveUp = new AtomicBoolean();
        Threads.Running<Boolean> waiting = threads.call(() -> guard.awaitOutside(gate, soon(), giveUp::get));
        waiting.awaitWaitingIn("Presence");
        giveUp.set(true);
        assertThat(waiting.get()).isFalse();
        inside.release();
    }

    @Test
    @DisplayName("Waiting until all are outside of an open gate is refused: it might never end")
    void openGate() {
        assertThatThrownBy(() -> guard.awaitOutside(gate, soon()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue pair is open");
    }

    @Test
    @DisplayName("An interrupt neither ends the wait nor gets lost")
    void interrupt() throws Exception {
        Pause inside = new Pause();
        stayInside(gate, inside);
        inside.awaitReached();
        guard.shut(gate);
        Threads.Running<Boolean> waiting = threads.call(
                () -> guard.awaitOutside(gate, soon()) && Thread.currentThread().isInterrupted());
        waiting.awaitWaitingIn("Presence");
        waiting.thread().interrupt();
        inside.release();
        assertThat(waiting.get()).isTrue();
    }

    @Test
    @DisplayName("C18: a thread gets its own presence at a gate, whoever else comes there often")
    void presenceAtGate() throws Exception {
        Presence mine = guard.presence(gate);
        assertThat(mine).isSameAs(guard.presence());
        Presence others = threads.call(() -> {
                    Presence here = guard.presence(gate);
                    for (int i = 0; i < 5_000; i++) {
                        assertThat(guard.presence(gate)).isSameAs(here);
                        assertThat(here.enter(gate)).isTrue();
                        here.exit();
                    }
                    assertThat(gate.usual(Thread.currentThread())).isSameAs(here);
                    return here;
                })
                .get();
        assertThat(others).isNotSameAs(mine);
        assertThat(guard.presence(gate)).isSameAs(mine);
    }

    @Test
    @DisplayName("C18: all threads are seen, also when the table grows under them")
    void growth() throws Exception {
        int count = 500;
        Pause inside = new Pause();
        AtomicInteger entered = new AtomicInteger();
        List<Threads.Running<Void>> staying = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            staying.add(threads.run(() -> {
                for (int turn = 0; turn < 100; turn++) {
                    assertThat(guard.enter(gate)).isTrue();
                    guard.exit();
                }
                assertThat(guard.enter(gate)).isTrue();
                entered.incrementAndGet();
                inside.run();
                guard.exit();
            }));
        }
        await().until(() -> entered.get() == count);
        assertThat(guard.inside(gate)).hasSize(count);
        assertThat(guard.capacity()).isGreaterThanOrEqualTo(2 * count);
        guard.shut(gate);
        assertThat(guard.awaitOutside(gate, now())).isFalse();
        inside.release();
        assertThat(guard.awaitOutside(gate, soon())).isTrue();
        for (Threads.Running<Void> thread : staying) {
            thread.get();
        }
    }

    @Test
    @DisplayName("The places of threads that have ended are used again")
    void reclaiming() throws Exception {
        for (int i = 0; i < 2_000; i++) {
            Thread thread = new Thread(() -> {
                guard.enter(gate);
                guard.exit();
            });
            thread.start();
            thread.join();
        }
        assertThat(guard.capacity()).isEqualTo(64);
    }

    @Test
    @DisplayName("C20: a thread that has ended is not kept alive, nor are the classes that it has run")
    void endedThreads() throws Exception {
        WeakReference<Thread> ended = runAndForget();
        await().until(() -> {
            System.gc();
            return ended.get() == null;
        });
    }

    private WeakReference<Thread> runAndForget() throws InterruptedException {
        Thread thread = new Thread(() -> {
            guard.enter(gate);
            guard.exit();
        });
        thread.start();
        thread.join();
        return new WeakReference<>(thread);
    }

    @Test
    @DisplayName("C9: a thread that has ended inside a gate is not waited for")
    void endedInside() throws Exception {
        Thread thread = new Thread(() -> guard.enter(gate));
        thread.start();
        thread.join();
        guard.shut(gate);
        assertThat(guard.awaitOutside(gate, now())).isTrue();
        assertThat(guard.inside(gate)).isEmpty();
    }

    @Test
    @DisplayName("C18: a thread that runs out of stack on its way in is not inside")
    void stackOverflow() {
        AtomicBoolean overflow = new AtomicBoolean();
        Guard broken = new Guard(thread -> new Presence(thread) {
            @Override
            void fence() {
                if (overflow.get()) {
                    throw new StackOverflowError("forced");
                }
                super.fence();
            }
        });
        overflow.set(true);
        assertThatThrownBy(() -> broken.enter(gate)).isInstanceOf(StackOverflowError.class);
        assertThat(broken.inside(device)).isEmpty();

        overflow.set(false);
        Gate outer = new Gate("outer");
        assertThat(broken.enter(outer)).isTrue();
        overflow.set(true);
        assertThatThrownBy(() -> broken.enter(gate)).isInstanceOf(StackOverflowError.class);
        assertThat(broken.inside(device)).isEmpty();
        assertThat(broken.inside(outer)).hasSize(1);
        broken.exit();
        assertThat(broken.inside(outer)).isEmpty();
    }

    @Test
    @DisplayName("C18: going in and out allocates nothing")
    void allocation() {
        Gate other = new Gate("completion queue", device);
        ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        goInAndOut(other, 20_000);
        long before = bean.getThreadAllocatedBytes(id);
        long empty = bean.getThreadAllocatedBytes(id) - before;
        before = bean.getThreadAllocatedBytes(id);
        goInAndOut(other, 100_000);
        assertThat(bean.getThreadAllocatedBytes(id) - before - empty).isLessThan(1_000);
    }

    private void goInAndOut(Gate other, int times) {
        for (int i = 0; i < times; i++) {
            guard.enter(gate);
            guard.enter(other);
            guard.exit();
            guard.exit();
            guard.enter(other);
            guard.exit();
        }
    }
}
