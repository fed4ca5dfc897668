package org.verbena.rdma.core.session;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.verbs.VerbsOwner;

/**
 * What one service object of a consumer stands for: everything made through it ends with it (C12).
 *
 * <p>{@code ended} is written once. A member is added before {@code ended} is looked at and taken out by whoever ends it,
 * so that a member made while the session ends is ended by one of the two.
 */
public final class Session implements VerbsOwner, Executor {
    private static final Logger LOGGER = LoggerFactory.getLogger(Session.class);

    private final Consumer consumer;
    private final Set<SessionMember> members = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    /**
     * Makes a session.
     *
     * @param consumer whose it is
     */
    public Session(Consumer consumer) {
        this.consumer = consumer;
        consumer.sessions().add(this);
    }

    /**
     * Returns whose session this is.
     *
     * @return the consumer
     */
    public Consumer consumer() {
        return consumer;
    }

    @Override
    public String bundle() {
        return consumer.name();
    }

    @Override
    public void ensureOpen() throws RdmaException {
        if (ended) {
            throw new RdmaException(
                    RdmaError.CONNECTION_ABORTED,
                    "the session of " + consumer.name() + " has ended: get the service again");
        }
    }

    /**
     * Tells whether the session has ended.
     *
     * @return {@code true} once it has begun to end
     */
    public boolean isEnded() {
        return ended;
    }

    /**
     * Adds what ends with the session.
     *
     * @param member the member
     * @throws RdmaException if the session has ended; the member is not added
     */
    public void add(SessionMember member) throws RdmaException {
        members.add(member);
        if (ended) {
            members.remove(member);
            ensureOpen();
        }
    }

    /**
     * Forgets a member that has ended.
     *
     * @param member the member
     */
    public void remove(SessionMember member) {
        members.remove(member);
    }

    /**
     * Returns what ends with the session.
     *
     * @return a live, concurrent set
     */
    public Set<SessionMember> members() {
        return members;
    }

    /**
     * Runs something of the consumer's on its lane, unless the session ends before.
     *
     * @param task what to run
     */
    @Override
    public void execute(Runnable task) {
        consumer.lane().execute("continuation", () -> {
            if (!ended) {
                run(task);
            }
        });
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Exception | LinkageError | AssertionError thrown) {
            LOGGER.warn("a continuation of bundle {} threw", consumer.name(), thrown);
        }
    }

    /** Marks the end: from now on nothing is made through this session and none of the consumer's code is begun. */
    public void markEnded() {
        ended = true;
    }

    /**
     * Waits for callbacks of members that still run.
     *
     * @param deadlineNanos when to give up, as {@link System#nanoTime()}
     */
    public void awaitMembers(long deadlineNanos) {
        for (SessionMember member : List.copyOf(members)) {
            if (!member.awaitEnd(deadlineNanos)) {
                LOGGER.warn(
                        "the session of bundle {} has ended while its {} still runs a callback",
                        consumer.name(),
                        member);
            }
        }
    }
}
