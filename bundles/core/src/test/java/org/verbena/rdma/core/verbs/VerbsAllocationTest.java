package org.verbena.rdma.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.ReceiveWorkRequest;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.WorkCompletions;

class VerbsAllocationTest extends VerbsFixture {
    private static final int WARM_UP = 30_000;
    private static final int ROUNDS = 100_000;

    private final ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    @DisplayName("C18: posting, polling and asking for notification allocate nothing, nor does an event")
    void hotPaths() throws Exception {
        CompletionChannel channel = channel();
        ProtectionDomain domain = domain();
        CompletionQueue queue = queue(channel);
        QueuePair queuePair = queuePair(domain, queue);
        MemoryRegion region = region(domain);
        SendWorkRequest send = domain.createSendWorkRequest(2);
        ReceiveWorkRequest receive = domain.createReceiveWorkRequest(2);
        WorkCompletions completions = queue.createWorkCompletions(4);
        FakeQueuePair fake = fake(queuePair);
        Runnable round = () -> {
            try {
                send.clear().write(1, 2).workRequestId(3).segment(region, 0, 8).segment(region, 8, 8);
                queuePair.postSend(send);
                queuePair.postReceive(receive.clear().segment(region, 0, 16));
                queue.requestNotification(false);
                fake.complete();
                fake.complete();
                if (queue.poll(completions) != 2 || completions.workRequestId(0) != 3) {
                    throw new AssertionError("two completions expected");
                }
            } catch (RdmaException e) {
                throw new AssertionError(e);
            }
        };
        assertThat(allocated(round)).isLessThan(ROUNDS);
    }

    /** Returns how many bytes the rounds have allocated, when all is compiled. */
    private long allocated(Runnable round) {
        long id = Thread.currentThread().getId();
        for (int i = 0; i < WARM_UP; i++) {
            round.run();
        }
        long before = bean.getThreadAllocatedBytes(id);
        for (int i = 0; i < ROUNDS; i++) {
            round.run();
        }
        return bean.getThreadAllocatedBytes(id) - before;
    }
}
