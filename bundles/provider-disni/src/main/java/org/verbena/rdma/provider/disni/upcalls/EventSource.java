package org.verbena.rdma.provider.disni.upcalls;

/** What an {@link EventThread} waits for: up to two descriptors, and what to do when one is readable. */
public interface EventSource {
    /**
     * Returns the first descriptor.
     *
     * @return a descriptor
     */
    int first();

    /**
     * Returns the second descriptor.
     *
     * @return a descriptor, or a negative number for none
     */
    default int second() {
        return -1;
    }

    /** Takes what the first descriptor has. */
    void firstReady();

    /** Takes what the second descriptor has. */
    default void secondReady() {}
}
