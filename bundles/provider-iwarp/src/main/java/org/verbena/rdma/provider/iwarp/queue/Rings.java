package org.verbena.rdma.provider.iwarp.queue;

/** The sizes of rings. */
final class Rings {
    private Rings() {}

    /** The least power of two that holds {@code entries}. */
    static int capacity(int entries) {
        return entries <= 1 ? 1 : Integer.highestOneBit(entries - 1) << 1;
    }
}
