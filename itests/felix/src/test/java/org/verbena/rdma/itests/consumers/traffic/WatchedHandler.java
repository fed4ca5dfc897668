// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.traffic;

import static org.verbena.rdma.cm.CmEventType.ADDR_ERROR;
import static org.verbena.rdma.cm.CmEventType.ADDR_RESOLVED;
import static org.verbena.rdma.cm.CmEventType.CONNECT_ERROR;
import static org.verbena.rdma.cm.CmEventType.CONNECT_REQUEST;
import static org.verbena.rdma.cm.CmEventType.DISCONNECTED;
import static org.verbena.rdma.cm.CmEventType.ESTABLISHED;
import static org.verbena.rdma.cm.CmEventType.REJECTED;
import static org.verbena.rdma.cm.CmEventType.ROUTE_ERROR;
import static org.verbena.rdma.cm.CmEventType.ROUTE_RESOLVED;
import static org.verbena.rdma.cm.CmEventType.UNREACHABLE;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.cm.EventHandler;

/**
 * Keeps the log of an id that is not a listener, and checks it: callbacks do not overlap, each event follows one that it
 * can follow and finds the id in the state that it tells of, and nothing comes after the end.
 */
final class WatchedHandler implements EventHandler {
    /** Where the log of a child begins; that of a client begins with nothing. */
    private static final Map<CmEventType, Set<CmEventType>> AFTER = Map.of(
            ROUTE_RESOLVED, EnumSet.of(ADDR_RESOLVED),
            ROUTE_ERROR, EnumSet.of(ADDR_RESOLVED),
            ESTABLISHED, EnumSet.of(ROUTE_RESOLVED, CONNECT_REQUEST),
            REJECTED, EnumSet.of(ROUTE_RESOLVED),
            UNREACHABLE, EnumSet.of(ROUTE_RESOLVED),
            CONNECT_ERROR, EnumSet.of(ROUTE_RESOLVED, CONNECT_REQUEST),
            DISCONNECTED, EnumSet.of(ESTABLISHED));

    private static final Set<CmEventType> AT_FIRST = EnumSet.of(ADDR_RESOLVED, ADDR_ERROR);
    /** These may come at any time. */
    private static final Set<CmEventType> ASIDE = EnumSet.of(CmEventType.ADDR_CHANGE, CmEventType.DEVICE_REMOVAL);

    private static final Map<CmEventType, CmState> STATE = Map.of(
            ADDR_RESOLVED, CmState.ADDR_RESOLVED,
            ROUTE_RESOLVED, CmState.ROUTE_RESOLVED,
            ESTABLISHED, CmState.CONNECT,
            DISCONNECTED, CmState.DISCONNECT);

    private final String name;
    private final EventHandler handler;
    private final Ledger ledger;
    private final AtomicInteger inside = new AtomicInteger();
    private final List<String> log = new CopyOnWriteArrayList<>();
    /** Written in callbacks, which do not overlap. */
    private volatile CmEventType last;

    private volatile boolean removed;
    private volatile boolean over;

    private WatchedHandler(String name, CmEventType first, EventHandler handler, Ledger ledger) {
        this.name = name;
        this.last = first;
        this.handler = handler;
        this.ledger = ledger;
    }

    static WatchedHandler client(EventHandler handler, Ledger ledger) {
        return new WatchedHandler("client", null, handler, ledger);
    }

    /** Of an id that has been told of by CONNECT_REQUEST. */
    static WatchedHandler child(EventHandler handler, Ledger ledger) {
        return new WatchedHandler("child", CONNECT_REQUEST, handler, ledger);
    }

    /** The id's destroy has returned, outside of callbacks. */
    void over() {
        over = true;
    }

    /** Whether an event has told that the id is on a device. */
    boolean isBound() {
        return last != null && last != ADDR_ERROR;
    }

    @Override
    public Verdict onEvent(CmEvent event) throws Exception {
        CmEventType type = event.type();
        CmState state = event.id().state();
        log.add(type + " in " + state);
        if (inside.incrementAndGet() > 1) {
            problem("callbacks overlap");
        }
        try {
            check(type, state);
            Verdict verdict = handler.onEvent(event);
            over |= verdict == Verdict.DESTROY;
            return verdict;
        } finally {
            inside.decrementAndGet();
        }
    }

    private void check(CmEventType type, CmState state) {
        if (over) {
            problem("an event after destroy");
        }
        if (removed) {
            problem("an event after DEVICE_REMOVAL");
        }
        if (STATE.getOrDefault(type, state) != state) {
            problem("the state is another than the event tells");
        }
        removed = type == CmEventType.DEVICE_REMOVAL;
        if (!ASIDE.contains(type)) {
            if (last == null
                    ? !AT_FIRST.contains(type)
                    : !AFTER.getOrDefault(type, Set.of()).contains(last)) {
                problem("an event out of order or missing");
            }
            last = type;
        }
    }

    private void problem(String what) {
        ledger.problem(name + ": " + what + ": " + this);
    }

    @Override
    public String toString() {
        return log.toString();
    }
}
