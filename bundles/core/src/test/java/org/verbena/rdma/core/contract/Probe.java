package org.verbena.rdma.core.contract;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.EventHandler;

/** A handler that writes down what it is told, measures overlap, and does what a test wants in the callback. */
final class Probe implements EventHandler {
    final List<CmEvent> events = new CopyOnWriteArrayList<>();
    final AtomicInteger inside = new AtomicInteger();
    final AtomicInteger mostInside = new AtomicInteger();
    final CountDownLatch entered = new CountDownLatch(1);
    final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Map<CmEventType, EventHandler> reactions = new ConcurrentHashMap<>();

    Probe on(CmEventType type, EventHandler reaction) {
        reactions.put(type, reaction);
        return this;
    }

    @Override
    public Verdict onEvent(CmEvent event) throws Exception {
        int now = inside.incrementAndGet();
        mostInside.accumulateAndGet(now, Math::max);
        threads.add(Thread.currentThread());
        events.add(event);
        entered.countDown();
        try {
            EventHandler reaction = reactions.get(event.type());
            return reaction == null ? Verdict.KEEP : reaction.onEvent(event);
        } finally {
            inside.decrementAndGet();
        }
    }

    List<CmEventType> types() {
        return events.stream().map(CmEvent::type).toList();
    }

    long count(CmEventType type) {
        return types().stream().filter(type::equals).count();
    }

    CmEvent await(CmEventType type) {
        Bench.await(() -> count(type) > 0 && inside.get() == 0);
        return events.stream().filter(event -> event.type() == type).findFirst().orElseThrow();
    }
}
