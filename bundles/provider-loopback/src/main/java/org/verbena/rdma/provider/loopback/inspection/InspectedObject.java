package org.verbena.rdma.provider.loopback.inspection;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.loopback.fault.ObjectKind;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.provider.loopback.fault.ViolationKind;

/**
 * The life of one object: who is inside, what is made of it, whether it is closed.
 *
 * <p>{@code state} is the count of calls inside and two marks, in one atomic, so that a close and a call that meet are
 * both seen.
 */
final class InspectedObject {
    private static final int CLOSING = 1 << 30;
    private static final int CLOSED = 1 << 29;
    private static final int INSIDE = CLOSED - 1;

    private final Inspection inspection;
    private final ObjectKind kind;
    private final int number;
    private final List<InspectedObject> parents;
    private final Set<InspectedObject> children = ConcurrentHashMap.newKeySet();
    private final AtomicInteger state = new AtomicInteger();

    InspectedObject(Inspection inspection, ObjectKind kind, InspectedObject... parents) {
        this.inspection = inspection;
        this.kind = kind;
        this.parents = List.of(parents);
        this.number = inspection.account().opened(kind);
        this.parents.forEach(parent -> parent.children.add(this));
    }

    Inspection inspection() {
        return inspection;
    }

    boolean isClosed() {
        return (state.get() & (CLOSING | CLOSED)) != 0;
    }

    /**
     * Begins a call, to be followed by {@link #leave} in any case.
     *
     * @throws IllegalStateException if the object is closed
     */
    void enter(ProviderCall call) throws RdmaException {
        begin(call);
        try {
            CallFault fault = inspection.fault(call);
            fault.waitForRelease();
            fault.strike();
        } catch (RdmaException | RuntimeException | Error failure) {
            leave();
            throw failure;
        }
    }

    /** Begins a call that only reads something. */
    void enterToRead() {
        enterToRead(ProviderCall.READ);
    }

    /** Begins a call that only reads something and has a name of its own. */
    void enterToRead(ProviderCall call) {
        begin(call);
        inspection.fault(call).waitForRelease();
    }

    void leave() {
        state.decrementAndGet();
        inspection.account().callEnded();
    }

    /** Closes the object by an action, once. */
    void close(ProviderCall call, Runnable action) {
        Account account = inspection.account();
        account.callBegun(call);
        try {
            int before = state.getAndUpdate(now -> now | CLOSING);
            if ((before & (CLOSING | CLOSED)) != 0) {
                violated(ViolationKind.CLOSED_TWICE, call, "");
                return;
            }
            if ((before & INSIDE) > 0) {
                violated(ViolationKind.CALL_DURING_CLOSE, call, (before & INSIDE) + " calls inside");
            }
            if (!children.isEmpty()) {
                violated(ViolationKind.CLOSED_BEFORE_CHILD, call, "of which " + children + " are made");
            }
            inspection.fault(call).waitForRelease();
            action.run();
            end();
            inspection.fault(call).strikeUnchecked();
        } finally {
            account.callEnded();
        }
    }

    /** Takes note that the object was never given to anybody. */
    void dismiss() {
        end();
    }

    void violated(ViolationKind violation, ProviderCall call, String detail) {
        inspection.account().violated(violation, call, toString(), detail);
    }

    /** Records it if something that this is made of is closed. */
    void checkParents(ProviderCall call) {
        for (InspectedObject parent : parents) {
            if (parent.isClosed()) {
                violated(ViolationKind.CLOSED_OBJECT_USED, call, "made of " + parent + ", which is closed");
            }
        }
    }

    @Override
    public String toString() {
        return kind + "#" + number + " of " + inspection.name();
    }

    private void begin(ProviderCall call) {
        inspection.account().callBegun(call);
        int before = state.getAndIncrement();
        if ((before & (CLOSING | CLOSED)) != 0) {
            boolean closed = (before & CLOSED) != 0;
            violated(closed ? ViolationKind.CALL_AFTER_CLOSE : ViolationKind.CALL_DURING_CLOSE, call, "");
            leave();
            throw new IllegalStateException(this + (closed ? " is closed" : " is being closed"));
        }
    }

    private void end() {
        state.getAndUpdate(now -> now | CLOSED);
        inspection.account().closed(kind);
        parents.forEach(parent -> parent.children.remove(this));
    }
}
