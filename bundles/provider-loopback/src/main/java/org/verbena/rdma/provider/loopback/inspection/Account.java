package org.verbena.rdma.provider.loopback.inspection;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import org.verbena.rdma.provider.loopback.fault.ObjectKind;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.provider.loopback.fault.Violation;
import org.verbena.rdma.provider.loopback.fault.ViolationKind;

/** How one device is used. Made of atomics, each safe by itself. */
final class Account {
    private final AtomicLongArray calls = new AtomicLongArray(ProviderCall.values().length);
    private final AtomicIntegerArray open = new AtomicIntegerArray(ObjectKind.values().length);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger upcallsInside = new AtomicInteger();
    private final AtomicInteger lastObject = new AtomicInteger();
    private final List<Violation> violations = new CopyOnWriteArrayList<>();

    void callBegun(ProviderCall call) {
        calls.incrementAndGet(call.ordinal());
        inside.incrementAndGet();
    }

    void callEnded() {
        inside.decrementAndGet();
    }

    void upcallBegun() {
        upcallsInside.incrementAndGet();
    }

    void upcallEnded() {
        upcallsInside.decrementAndGet();
    }

    /** Counts an object and gives it a number. */
    int opened(ObjectKind kind) {
        open.incrementAndGet(kind.ordinal());
        return lastObject.incrementAndGet();
    }

    void closed(ObjectKind kind) {
        open.decrementAndGet(kind.ordinal());
    }

    void violated(ViolationKind kind, ProviderCall call, String object, String detail) {
        Throwable where = new Throwable("in thread " + Thread.currentThread().getName());
        violations.add(new Violation(kind, call, object, detail, where));
    }

    long calls(ProviderCall call) {
        return calls.get(call.ordinal());
    }

    int open(ObjectKind kind) {
        return open.get(kind.ordinal());
    }

    int open() {
        int sum = 0;
        for (int index = 0; index < open.length(); index++) {
            sum += open.get(index);
        }
        return sum;
    }

    int inside() {
        return inside.get();
    }

    int upcallsInside() {
        return upcallsInside.get();
    }

    List<Violation> violations() {
        return List.copyOf(violations);
    }
}
