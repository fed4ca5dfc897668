package org.verbena.rdma.provider.iwarp.loop;

/** What is attached to a selection key: called on the loop, in a turn of its own, when the channel is ready. */
@FunctionalInterface
public interface ReadyHandler {
    /**
     * The channel is ready.
     *
     * @param operations the ready operations, bits of {@code SelectionKey}
     */
    void ready(int operations);
}
