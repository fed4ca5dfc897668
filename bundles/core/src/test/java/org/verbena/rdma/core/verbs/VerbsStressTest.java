package org.verbena.rdma.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.core.guard.Threads;

/** Many threads on one device that is taken away; the fake provider notices each use after a close. */
class VerbsStressTest extends VerbsFixture {
    private static final int POSTERS = 3;
    private static final int BEFORE_REMOVAL = 2_000;

    private final AtomicInteger posted = new AtomicInteger();

    /** Keeps the completion queue from running over. */
    private final Semaphore room = new Semaphore(8_000);

    @RepeatedTest(value = 10, name = "{displayName}: {currentRepetition}")
    @DisplayName(
            "C18: posts, polls, creations and closes race with a removal; nothing reaches what is freed, nothing is lost")
    void removal() throws Exception {
        ProtectionDomain domain = domain();
        MemoryRegion region = region(domain);
        CompletionQueue queue = device.createCompletionQueue(owner, view, 10_000, channel());
        List<Threads.Running<?>> running = new ArrayList<>();
        List<Threads.Running<Integer>> polling = new ArrayList<>();
        for (int i = 0; i < POSTERS; i++) {
            QueuePair queuePair =
                    queuePair(domain, QueuePairConfiguration.reliable(queue).withDepth(1_000, 1_000));
            int first = i << 20;
            FakeQueuePair fake = fake(queuePair);
            running.add(threads.run(() -> post(domain, region, queuePair, fake, first)));
        }
        polling.add(threads.call(() -> poll(queue)));
        running.add(threads.run(() -> makeAndClose(domain, queue)));
        while (posted.get() < BEFORE_REMOVAL) {
            Thread.onSpinWait();
        }
        remove();
        for (Threads.Running<?> each : running) {
            each.get();
        }
        assertThat(polling.get(0).get()).isEqualTo(posted.get());
        assertThat(provider.open()).isZero();
        assertThat(provider.violations()).isEmpty();
    }

    private void post(ProtectionDomain domain, MemoryRegion region, QueuePair queuePair, FakeQueuePair fake, int first)
            throws Exception {
        SendWorkRequest request = domain.createSendWorkRequest(1).send().segment(region, 0, 8);
        int mine = 0;
        try {
            while (true) {
                if (!room.tryAcquire(1, TimeUnit.MILLISECONDS)) {
                    fake.completeIfAny();
                    continue;
                }
                try {
                    queuePair.postSend(request.workRequestId(first + mine));
                    mine++;
                    posted.incrementAndGet();
                    if (mine % 2 == 0) {
                        fake.completeIfAny();
                    }
                } catch (DeviceRemovedException gone) {
                    throw gone;
                } catch (RdmaException full) {
                    assertThat(full.error()).isEqualTo(RdmaError.NO_MEMORY);
                    room.release();
                    fake.completeIfAny();
                }
            }
        } catch (DeviceRemovedException gone) {
            assertThat(gone.device()).isEqualTo("fake0");
        }
    }

    /** Polls to the end; checks that work of each queue pair completes in order. */
    private int poll(CompletionQueue queue) throws RdmaException {
        WorkCompletions completions = queue.createWorkCompletions(16);
        long[] next = new long[POSTERS];
        int seen = 0;
        try {
            while (true) {
                int taken = queue.poll(completions);
                for (int i = 0; i < taken; i++) {
                    long id = completions.workRequestId(i);
                    int poster = (int) (id >> 20);
                    assertThat(id & 0xF_FFFF).isEqualTo(next[poster]++);
                }
                seen += taken;
                room.release(taken);
            }
        } catch (DeviceRemovedException gone) {
            return seen;
        }
    }

    private void makeAndClose(ProtectionDomain domain, CompletionQueue queue) throws RdmaException {
        try {
            while (true) {
                MemoryRegion made = region(domain);
                QueuePair queuePair = queuePair(domain, queue);
                queuePair.close();
                made.close();
                CompletionQueue other = queue();
                other.close();
            }
        } catch (DeviceRemovedException gone) {
            assertThat(gone.device()).isEqualTo("fake0");
        }
    }
}
