package org.verbena.rdma.core.guard;

/** What is behind a gate, and is freed once. */
final class Behind {
    static final int OUTSIDE = 0;
    static final int INSIDE = 1;
    static final int INSIDE_FREED = 2;

    /** Long enough for a store that is still in its processor's buffer to come out. */
    private static final int LOOKS = 200;

    /** Never, on the clock of {@link System#nanoTime()}. */
    static final long NEVER = System.nanoTime() + Long.MAX_VALUE / 2;

    private volatile boolean freed;

    void free() {
        freed = true;
    }

    /** Uses it for a while; tells whether it was freed meanwhile. */
    int use() {
        for (int look = 0; look < LOOKS; look++) {
            if (freed) {
                return INSIDE_FREED;
            }
        }
        return INSIDE;
    }
}
