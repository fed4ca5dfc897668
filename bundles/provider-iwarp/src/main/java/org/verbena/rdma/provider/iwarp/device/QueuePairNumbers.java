package org.verbena.rdma.provider.iwarp.device;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;

/** The queue pair numbers of a device: 24 bits, each used by one queue pair at a time. Safe for all threads. */
final class QueuePairNumbers {
    private static final int MASK = 0xFF_FFFF;

    private final int limit;
    private final Set<Integer> used = ConcurrentHashMap.newKeySet();
    private final AtomicInteger last = new AtomicInteger();
    private final AtomicInteger count = new AtomicInteger();

    QueuePairNumbers(int limit) {
        this.limit = limit;
    }

    int take() throws RdmaException {
        if (count.incrementAndGet() > limit) {
            count.decrementAndGet();
            throw new RdmaException(
                    RdmaError.NO_MEMORY, "the device has " + limit + " queue pairs already: close some of them");
        }
        int number;
        do {
            number = last.incrementAndGet() & MASK;
        } while (number == 0 || !used.add(number));
        return number;
    }

    void giveBack(int number) {
        used.remove(number);
        count.decrementAndGet();
    }
}
