// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.io.PrintStream;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.EventHandler;

/**
 * The handler of one id, which notes what breaks the contract: callbacks that overlap (C1), and anything that follows a
 * removal (C7) or the end of a destroy (C4, C5). All of its state is safe by itself.
 */
final class RecordedId implements EventHandler {
    private static final int PATIENCE_SECONDS = 120;

    private final String name;
    private final Behavior behavior;
    private final CountDownLatch release;
    private final PrintStream out;
    private final Queue<String> broken;
    private final BlockingQueue<CmEvent> events = new LinkedBlockingQueue<>();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger removals = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean destroyed;

    /**
     * Makes a handler.
     *
     * @param name for what is said of it
     * @param behavior what it does
     * @param release ends a callback that blocks
     * @param out where to say that an address has changed
     * @param broken where to say what breaks the contract
     */
    RecordedId(String name, Behavior behavior, CountDownLatch release, PrintStream out, Queue<String> broken) {
        this.name = name;
        this.behavior = behavior;
        this.release = release;
        this.out = out;
        this.broken = broken;
    }

    /** Notes from when on nothing may follow. */
    void follow(CmId id) {
        id.destroyed().thenRun(() -> {
            destroyed = true;
            over.countDown();
        });
    }

    @Override
    public Verdict onEvent(CmEvent event) throws InterruptedException {
        if (inside.getAndIncrement() != 0) {
            broken.add(name + ": " + event.type() + " while another callback runs");
        }
        try {
            if (removals.get() > 0 || destroyed) {
                broken.add(name + ": " + event.type() + " after " + (destroyed ? "its end" : "its removal"));
            }
            if (event.type() == CmEventType.ADDR_CHANGE) {
                out.println(name + ": " + event.type());
                return Verdict.KEEP;
            }
            if (event.type() == CmEventType.DEVICE_REMOVAL) {
                removals.incrementAndGet();
                over.countDown();
                return behavior == Behavior.BEHAVES ? Verdict.DESTROY : Verdict.KEEP;
            }
            events.add(event);
            if (event.type() == CmEventType.ESTABLISHED && behavior == Behavior.BLOCKS) {
                release.await();
            }
            return Verdict.KEEP;
        } finally {
            inside.decrementAndGet();
        }
    }

    CmEvent take(CmEventType expected) throws InterruptedException, PeerFailedException {
        CmEvent event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (event == null || event.type() != expected) {
            throw new PeerFailedException(
                    name + ": " + (event == null ? "no event" : event.type() + " (" + event.status() + ")")
                            + " instead of " + expected);
        }
        return event;
    }

    /** Waits until it was told of the removal, or was destroyed before. */
    void awaitEnd() throws InterruptedException, PeerFailedException {
        if (!over.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new PeerFailedException(name + " is told of no removal");
        }
        if (behavior != Behavior.BEHAVES && removals.get() != 1) {
            broken.add(name + ": no removal, although it lets go of nothing");
        }
    }
}
