package org.verbena.rdma.provider.disni.verbs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.provider.disni.upcalls.EventSource;

/** The completion events of a device. The queues are found by token; the map is safe by itself. */
final class CompletionEvents implements EventSource {
    private final VerbsNatives natives;
    private final long channel;
    private final Map<Long, DisniCompletionQueue> queues = new ConcurrentHashMap<>();
    private final AtomicLong tokens = new AtomicLong();

    CompletionEvents(VerbsNatives natives, long channel) {
        this.natives = natives;
        this.channel = channel;
    }

    long newToken() {
        return tokens.incrementAndGet();
    }

    void add(long token, DisniCompletionQueue queue) {
        queues.put(token, queue);
    }

    void remove(long token) {
        queues.remove(token);
    }

    @Override
    public int first() {
        return natives.completionDescriptor(channel);
    }

    @Override
    public void firstReady() {
        for (long token = natives.readCompletionEvent(channel);
                token >= 0;
                token = natives.readCompletionEvent(channel)) {
            DisniCompletionQueue queue = queues.get(token);
            if (queue != null) {
                queue.event();
            }
        }
    }
}
