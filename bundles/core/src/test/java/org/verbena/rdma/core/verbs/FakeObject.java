package org.verbena.rdma.core.verbs;

import java.util.concurrent.atomic.AtomicInteger;

/** Something of the fake provider that notices when it is used as it must not be. */
class FakeObject {
    final FakeDevice device;
    final String kind;
    private final AtomicInteger users = new AtomicInteger();
    private volatile boolean closed;

    FakeObject(FakeDevice device, String kind) {
        this.device = device;
        this.kind = kind;
        device.made(this);
    }

    boolean isClosed() {
        return closed;
    }

    /** Begins a use. */
    void begin(String call) {
        users.incrementAndGet();
        if (closed) {
            device.violation(call + " on a closed " + kind);
        }
    }

    /** Ends a use. */
    void end(String call) {
        if (closed) {
            device.violation("close of a " + kind + " during " + call);
        }
        users.decrementAndGet();
    }

    void closing() {
        device.hook("close " + kind);
        if (closed) {
            device.violation("second close of a " + kind);
        }
        closed = true;
        if (users.get() != 0) {
            device.violation("close of a " + kind + " that is in use");
        }
        device.closed(this);
    }
}
