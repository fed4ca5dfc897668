// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.traffic;

import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.EventHandler;

/** Watches that callbacks of an id do not overlap, and that nothing comes after its end. */
final class WatchedHandler implements EventHandler {
    private final String name;
    private final EventHandler handler;
    private final Ledger ledger;
    private final AtomicInteger inside = new AtomicInteger();
    private volatile boolean removed;
    private volatile boolean over;

    WatchedHandler(String name, EventHandler handler, Ledger ledger) {
        this.name = name;
        this.handler = handler;
        this.ledger = ledger;
    }

    /** The id's destroy has returned, outside of callbacks. */
    void over() {
        over = true;
    }

    @Override
    public Verdict onEvent(CmEvent event) throws Exception {
        if (inside.incrementAndGet() > 1) {
            ledger.problem(name + ": callbacks overlap at " + event.type());
        }
        try {
            if (over) {
                ledger.problem(name + ": " + event.type() + " after destroy");
            }
            if (removed) {
                ledger.problem(name + ": " + event.type() + " after DEVICE_REMOVAL");
            }
            removed = event.type() == CmEventType.DEVICE_REMOVAL;
            Verdict verdict = handler.onEvent(event);
            over |= verdict == Verdict.DESTROY && event.type() != CmEventType.CONNECT_REQUEST;
            return verdict;
        } finally {
            inside.decrementAndGet();
        }
    }
}
