package org.verbena.rdma.core.session;

/** Something made through a session that is not a verbs object, and ends with the session. */
public interface SessionMember {
    /**
     * Ends it for good, without calling the consumer and without waiting.
     */
    void endWithSession();

    /**
     * Waits until it has ended and no callback of it runs.
     *
     * @param deadlineNanos when to give up, as {@link System#nanoTime()}
     * @return whether it has ended
     */
    boolean awaitEnd(long deadlineNanos);
}
