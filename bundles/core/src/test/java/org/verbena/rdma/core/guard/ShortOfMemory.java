package org.verbena.rdma.core.guard;

import java.util.concurrent.atomic.AtomicInteger;

/** Guards for which there is no memory when a thread comes for the first time. */
public final class ShortOfMemory {
    private ShortOfMemory() {}

    /** Makes a guard that fails as often as the counter says, and counts down. */
    public static Guard guard(AtomicInteger failures) {
        return new Guard(thread -> {
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new OutOfMemoryError("on purpose");
            }
            return new Presence(thread);
        });
    }
}
